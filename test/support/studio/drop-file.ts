import type { Page } from 'playwright-core';

/** Drops a file in the middle of the page. */
export async function dropFile(page: Page, { name, text }: { name: string; text: string }): Promise<void> {
  await page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content!], fileName!));
      const over = document.elementFromPoint(innerWidth / 2, innerHeight / 2)!;
      for (const type of ['dragover', 'drop'])
        over.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
}
