import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Serious and critical violations of axe-core, with the first element of each. */
export async function listBarriers(page: Page): Promise<string[]> {
  // The policy of the page blocks foreign scripts: axe is evaluated from outside.
  await page.evaluate(readFileSync(AXE, 'utf8'));
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the page has axe now.
    const { violations } = await (globalThis as any).axe.run();
    return violations
      .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
          `${id}: ${nodes[0]?.html.slice(0, 200)}`,
      );
  });
}
