import { exploreForms } from './explore-forms.js';
import { type FormKind, type JudgedForm, judgeForms } from './first-failure.js';

/**
 * `npx tsx test/independent/print-client-finds.ts bugs|races|styles [SEARCH [SEED]] [NAME...]`: prints the first rule that each form of
 * an independent client breaks, in the library and in so many generated conversations (0). NAME: a client or a form.
 * With `explore [SCHEDULES]` after the kind: the first cause that `explore` finds.
 */
const [kind, ...rest] = process.argv.slice(2) as [FormKind, ...string[]];
const numbers = rest.map(Number).filter((each) => !Number.isNaN(each));
const names = rest.filter((each) => Number.isNaN(Number(each)) && each !== 'explore');
const [first, seed = 1] = numbers;
const forms: AsyncIterable<JudgedForm & { schedule?: number | undefined; causes?: number }> = rest.includes(
  'explore',
)
  ? exploreForms(kind, { names, ...(first !== undefined && { schedules: first }) })
  : judgeForms(kind, { search: first ?? 0, seed, names });
const missed: string[] = [];
let count = 0;
for await (const { client, form, about, found, schedule, causes } of forms) {
  count++;
  const where = schedule === undefined ? '' : ` (schedule ${schedule}, ${causes} causes)`;
  if (found === undefined) missed.push(`${client} ${form}: ${about}`);
  else console.log(`${client} ${form}: ${found}${where}`);
}
console.log(`\nnothing of ${count}: ${missed.length}\n${missed.join('\n')}`);
