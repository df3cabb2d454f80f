import { type CreateService, judgeService } from './judge-service.js';
import * as folded from './services/folded.js';
import * as steady from './services/steady.js';

/**
 * `npx tsx test/independent/print-service-finds.ts steady|folded faults|variations [SEARCH [SEED]] [NAME...]`: prints what the suite
 * and so many generated sequences (none unless given) say of each form of an independent service.
 */
const [name, kind, ...rest] = process.argv.slice(2);
const [search = 0, seed = 1] = rest.map(Number).filter((each) => !Number.isNaN(each));
const names = rest.filter((each) => Number.isNaN(Number(each)));
const service = { steady, folded }[name as 'steady' | 'folded'];
const createService: CreateService = (settings) => service.createService(settings);
const isFaulty = kind === 'faults';
const forms = Object.entries<unknown>(isFaulty ? service.faults : service.variations);
const missed: string[] = [];
let count = 0;
for (const [form, about] of [['', 'as it is'], ...forms] as const) {
  if (form !== '' && names.length > 0 && !names.includes(form)) continue;
  const setting = form === '' ? {} : { [isFaulty ? 'fault' : 'variation']: form };
  const { checks, causes } = await judgeService(createService, { ...setting, search, seed });
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  if (form !== '') count++;
  if (failed.length === 0 && form !== '') missed.push(`${form}: ${JSON.stringify(about)}`);
  for (const { example, title, explains } of causes.slice(0, isFaulty ? 1 : causes.length))
    console.log(
      `${form || 'unchanged'}: ${example} (${explains} of ${failed.length}) ${title.slice(0, 200)}`,
    );
}
console.log(`\nnothing of ${count}: ${missed.length}${isFaulty ? `\n${missed.join('\n')}` : ''}`);
