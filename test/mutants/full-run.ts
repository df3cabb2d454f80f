import { conditionalMutants } from './conditional/conditional-mutants.js';
import { chooseMutants, formatResult } from './format-result.js';
import { judgeMutant, listFailed } from './judge.js';
import type { Mutant } from './mutant.js';
import { mutants } from './mutants.js';

/**
 * Holds the whole suite against every mutant, or those whose id has the given text in it, and prints what failed: the
 * checks of the rule that it breaks, and the others that fail along with them. Takes seconds for each mutant, minutes for
 * all. `npx tsx test/mutants/full-run.ts [TEXT]`
 *
 * Exit code 0: each is noticed by a check of its requirement; 1: some are not; 2: no mutant has this text in its id.
 */
async function main(chosen: readonly Mutant[]): Promise<void> {
  const unnoticed: string[] = [];
  for (const mutant of chosen) {
    const { isNoticed, lines } = formatResult(mutant, listFailed(await judgeMutant(mutant)));
    if (!isNoticed) unnoticed.push(mutant.id);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  const sum = `${chosen.length - unnoticed.length} of ${chosen.length} noticed. ${unnoticed.join(' ')}`;
  process.stdout.write(`${sum.trim()}\n`);
  process.exitCode = unnoticed.length > 0 ? 1 : 0;
}

function selectMutants(text = ''): Mutant[] | undefined {
  try {
    return chooseMutants(text, [...mutants, ...conditionalMutants]);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
    return undefined;
  }
}

const request = selectMutants(process.argv[2]);
if (request) await main(request);
