import { findAll } from './first-failure.js';

/**
 * `npm run coverage:clients [SEARCH [CORRECT [SEED]]] [NAME...]`: prints what finds each client with a bug in so many generated
 * conversations behind the scenarios (200), and what correct clients fail in so many (5000 takes minutes; 200 unless given).
 */
const args = process.argv.slice(2);
const [search = 200, correct = 200, seed = 1] = args.map(Number).filter((number) => !Number.isNaN(number));
const names = args.filter((arg) => Number.isNaN(Number(arg)));
for (const [file, count] of [
  ['buggy-edits.txt', search],
  ['correct-edits.txt', correct],
] as const) {
  const finds = await findAll(file, count, { names, seed }, ({ name, requirement }, failed) => {
    const by = failed
      ? `${failed.scenario} ${failed.finding.rule} ${failed.finding.requirement}: ${failed.finding.message}`
      : 'nothing';
    console.log(`${name.padEnd(30)} ${requirement.padEnd(10)} ${by}`);
  });
  const { byScenario, bySearch, missed } = finds;
  console.log(
    `${file}: a scenario finds ${byScenario.length}, ${count} generated conversations ${bySearch.length} more, nothing ${missed.length}\n`,
  );
}
