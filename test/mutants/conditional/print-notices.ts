import { conditionalMutants } from './conditional-mutants.js';
import { findFirstNotice } from './first-notice.js';

/**
 * `npm run coverage:conditional [SEQUENCES] [TEXT]`: prints what notices each conditional mutant, or those whose id has the text in
 * it: a check of the suite, or one of so many generated sequences (300). Takes many minutes for all.
 */
const [sequences = '300', text = ''] = process.argv.slice(2);
const count = { suite: 0, search: 0, nothing: 0 };
for (const mutant of conditionalMutants.filter(({ id }) => id.includes(text))) {
  const notice = await findFirstNotice(mutant, Number(sequences), { isWholeSuite: true });
  count[notice?.by ?? 'nothing']++;
  const by = notice?.sequence === undefined ? notice?.what : `sequence ${notice.sequence}: ${notice.what}`;
  console.log(`${mutant.id.padEnd(36)} ${mutant.requirement.padEnd(12)} ${(by ?? 'NOTHING').slice(0, 160)}`);
}
console.log(
  `The suite notices ${count.suite}, ${sequences} generated sequences ${count.search} more, nothing ${count.nothing}.`,
);
