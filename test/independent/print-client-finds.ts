import { type FormKind, judgeForms } from './first-failure.js';

/**
 * `npx tsx test/independent/print-client-finds.ts bugs|races|styles [SEARCH [SEED]] [NAME...]`: prints the first rule that each form of
 * an independent client breaks, in the library and in so many generated conversations (0). NAME: a client or a form.
 */
const [kind, ...rest] = process.argv.slice(2);
const [search = 0, seed = 1] = rest.map(Number).filter((each) => !Number.isNaN(each));
const names = rest.filter((each) => Number.isNaN(Number(each)));
const missed: string[] = [];
let count = 0;
for await (const { client, form, about, found } of judgeForms(kind as FormKind, { search, seed, names })) {
  count++;
  if (found === undefined) missed.push(`${client} ${form}: ${about}`);
  else console.log(`${client} ${form}: ${found}`);
}
console.log(`\nnothing of ${count}: ${missed.length}\n${missed.join('\n')}`);
