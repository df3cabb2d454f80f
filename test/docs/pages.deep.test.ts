import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { removeReadersProject } from '../support/installed.js';
import { findPython, isPythonRequired, NO_PYTHON } from '../support/python.js';
import { checkBlock, type PageState } from './support/check-block.js';
import { type MarkdownBlock, parsePage } from './support/markdown.js';
import { pages } from './support/pages.js';
import { Workbench } from './support/workbench.js';

/**
 * Runs what the pages tell a reader to run, and holds what they show against what came. UPDATE_PAGES=1 writes outputs
 * that have changed into the pages instead: look at the difference before you keep it.
 */
describe.each(pages)('$name', ({ file, page }) => {
  const usesPytest = page.blocks.some(({ info: [, kind] }) => kind === 'pytest');
  const isWithoutPython = usesPytest && !isPythonRequired && findPython() === undefined;
  const corrections: { block: MarkdownBlock; output: string }[] = [];
  const reading: PageState = {
    bench: new Workbench(),
    last: undefined,
    unused: new Map(),
    correct:
      process.env.UPDATE_PAGES === '1' ? (block, output) => corrections.push({ block, output }) : undefined,
  };

  afterAll(async () => {
    await reading.bench.clear();
    // From the bottom up, so that the lines above stay where they are.
    const lines = [...page.lines];
    for (const { block, output } of corrections.reverse()) {
      lines.splice(block.line, block.text.split('\n').length, output);
    }
    if (corrections.length > 0) writeFileSync(file, lines.join('\n'));
  });

  for (const block of page.blocks) {
    it(`line ${block.line}: ${block.info.join(' ')}`, ({ skip }) => {
      skip(isWithoutPython, NO_PYTHON);
      return checkBlock(block, reading);
    });
  }
  it('uses the files that it shows', () => expect([...reading.unused]).toEqual([]));
});

afterAll(removeReadersProject);

describe('the check of the pages', () => {
  it('fails for TypeScript that a strict project would not take', async () => {
    const bench = new Workbench();
    const check = (text: string) =>
      checkBlock(parsePage(text).blocks[0]!, {
        bench,
        last: undefined,
        correct: undefined,
        unused: new Map(),
      });
    onTestFinished(() => bench.clear());
    const head =
      "import { createMock } from 'taskdouble';\nconst mock = createMock();\nawait mock.close();\n";
    await check(`\`\`\`ts run\n${head}\`\`\``);
    const typo = check(`\`\`\`ts run\n${head}mock.clock.advanse('1s');\n\`\`\``);
    await expect(typo).rejects.toThrow("4: Property 'advanse' does not exist");
    const test = "import { expect, test } from 'vitest';\ntest('sum', () => expect(1 + 1).toBe(3));";
    await check(`\`\`\`ts vitest exit 1\n${test}\n\`\`\``);
    await expect(check(`\`\`\`ts vitest\n${test}\n\`\`\``)).rejects.toThrow('to be 3');
  });
});
