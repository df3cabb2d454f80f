import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Saves screenshots to the folder STUDIO_PICTURES, if it is set. */
export function usePictures(): (page: Page, name: string) => Promise<unknown> {
  const folder = process.env.STUDIO_PICTURES;
  return async (page, name) => {
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
}
