import { generateScenario } from '../../conformance/client/generate/generate-scenario.js';
import { recordSentFields } from '../../conformance/client/judge/create.js';
import { judgeRun } from '../../conformance/client/judge/verdict.js';
import { explainUnplayable } from '../../conformance/client/run/job.js';
import { play } from '../../conformance/client/run/play.js';
import type { ClientFunction } from '../../conformance/client/types.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { firstClients } from './clients/list-one.js';
import secondClients from './clients/list-two.js';

/**
 * `npx tsx test/independent/print-client-finds.ts bugs|races|styles [SEARCH [SEED]] [NAME...]`: prints the first rule that each form of
 * an independent client breaks, in the library and in so many generated conversations (0). NAME: a client or a form.
 */
const [kind, ...rest] = process.argv.slice(2);
const [search = 0, seed = 1] = rest.map(Number).filter((each) => !Number.isNaN(each));
const names = rest.filter((each) => Number.isNaN(Number(each)));
const library = (await loadLibrary()).filter((scenario) => !explainUnplayable(scenario));
const restoreTime = prepareVirtualTime();

async function findFirst(run: ClientFunction): Promise<string | undefined> {
  const sentFields = new Map<string, string>();
  for (let number = -library.length; number < search; number++) {
    const scenario = number < 0 ? library[number + library.length]! : generateScenario(seed, number + 1);
    const played = await play(scenario, { kind: 'function', run }, { seed });
    const findings = judgeRun({ ...played, sentFields });
    recordSentFields(played, sentFields);
    const finding = findings.find(({ level }) => level === 'must');
    if (finding) return `${scenario.name} ${finding.rule}: ${finding.message.slice(0, 200)}`;
  }
  return undefined;
}

const missed: string[] = [];
let count = 0;
for (const { name, createRun, ...client } of [...firstClients, ...secondClients]) {
  for (const [form, about] of Object.entries(client[kind as 'bugs' | 'races' | 'styles'])) {
    if (names.length > 0 && !names.includes(name) && !names.includes(form)) continue;
    count++;
    const found = await findFirst(createRun(form));
    if (found === undefined) missed.push(`${name} ${form}: ${about}`);
    else console.log(`${name} ${form}: ${found}`);
  }
}
restoreTime();
console.log(`\nnothing of ${count}: ${missed.length}\n${missed.join('\n')}`);
