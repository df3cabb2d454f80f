import { findAll } from './first-failure.js';

/**
 * `npm run coverage:clients [SEARCH] [CORRECT]`: prints what finds each client with a bug in so many generated conversations
 * behind the scenarios (200), and what a correct client fails in so many of them (5000; takes minutes).
 */
const [search = 200, correct = 5000] = process.argv.slice(2).map(Number);
for (const [file, count] of [
  ['buggy-edits.txt', search],
  ['correct-edits.txt', correct],
] as const) {
  const finds = await findAll(file, count, ({ name, requirement }, failed) => {
    const by = failed ? `${failed.case} ${failed.rule} ${failed.covers.join(' ')}` : 'nothing';
    console.log(`${name.padEnd(30)} ${requirement.padEnd(10)} ${by}`);
  });
  const { byScenario, bySearch, missed } = finds;
  console.log(
    `${file}: a scenario finds ${byScenario.length}, ${count} generated conversations ${bySearch.length} more, nothing ${missed.length}\n`,
  );
}
