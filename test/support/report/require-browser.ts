import { expect, it } from 'vitest';
import { browserRequired, chromium } from './browser.js';

/** Adds a test that warns if `what` is skipped without a browser, and fails if a browser is required. */
export function requireBrowser(what: string): void {
  it('has a browser if one is required', () => {
    if (chromium === undefined && !browserRequired)
      console.warn(
        `Chromium not found: ${what} is not tested. Install Chromium, or set CHROMIUM to its path.`,
      );
    expect(chromium !== undefined || !browserRequired).toBe(true);
  });
}
