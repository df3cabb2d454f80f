import { failures, judged } from './judge.js';
import { mutants } from './mutants.js';

/**
 * Holds the whole suite against every mutant, or those whose id has the given text in it, and prints what failed: the
 * checks of the rule that it breaks, and the others that fail along with them. Takes seconds for each mutant, minutes for
 * all. `npx tsx conformance/mutants/full-run.ts [TEXT]`
 */
async function main(text = ''): Promise<void> {
  const chosen = mutants.filter(({ id }) => id.includes(text));
  const unnoticed: string[] = [];
  for (const mutant of chosen) {
    const failed = failures(await judged(mutant));
    const own = failed.filter(({ covers }) => covers.includes(mutant.requirement));
    const others = failed.filter(({ covers }) => !covers.includes(mutant.requirement));
    if (own.length === 0) unnoticed.push(mutant.id);
    say(`${own.length > 0 ? 'noticed' : 'UNNOTICED'} ${mutant.id} (${mutant.requirement}): ${mutant.breaks}`);
    for (const { id } of own) say(`  by   ${id}`);
    for (const { id } of others) say(`  also ${id}`);
  }
  say(`${chosen.length - unnoticed.length} of ${chosen.length} noticed. ${unnoticed.join(' ')}`.trim());
  process.exitCode = unnoticed.length > 0 ? 1 : 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main(process.argv[2]);
