import { expect, it } from 'vitest';
import { browserRequired, chromium } from './browser.js';

/** A test that says so where `what` is not looked at because there is no browser, and fails where one is asked for. */
export function requireBrowser(what: string): void {
  it('has a browser where one is asked for', () => {
    if (chromium === undefined && !browserRequired)
      console.warn(`No Chromium here: ${what} is not looked at. Install it, or set CHROMIUM to its path.`);
    expect(chromium !== undefined || !browserRequired).toBe(true);
  });
}
