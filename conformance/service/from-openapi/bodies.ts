import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Operation, OperationId } from '../../../spec/generated/operations.js';
import type { Probe } from '../cases/test-case.js';
import { TOOLS } from '../cases/texts.js';
import type { Sending } from '../http-client/response.js';
import { CHEAP_TASK } from '../request-builders/forms.js';
import { type Kit, said, withKit } from '../request-builders/tracker.js';
import { attempt, costs, everyOperation, nameOf, twin } from './attempt.js';
import { type BodyCase, bodyCases } from './body-cases.js';
import { judgeRefusal, REFUSAL_COVERS } from './refusal.js';

/** With everything in it that has an inside to be wrong. */
const WHOLE_TASK = {
  task: CHEAP_TASK,
  custom_tools: [TOOLS.get_weather],
  response_model: { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] },
};

/** Bodies to start from in place of the sampler's, where these are too plain. */
const WHOLE: Readonly<Partial<Record<OperationId, Readonly<Record<string, unknown>>>>> = {
  createTask: WHOLE_TASK,
};

/** For each operation with a JSON body: no JSON, no UTF-8, no object, and each field that is missing or of the wrong type. */
export const bodyProbes: readonly Probe[] = everyOperation.flatMap((operation): Probe[] => {
  const { id, body } = operation;
  if (body?.kind !== 'json') return [];
  return [
    {
      id: `errors/${id}-body`,
      title: `${nameOf(id)} refuses a body that is no JSON, or whose fields are missing or of the wrong type`,
      covers: [...REFUSAL_COVERS, 'ERROR-02', ...moreOf(id)],
      ...costs(id, id === 'createTask' ? 2 : 1),
      run: (probing) => withKit(probing, (kit) => run(kit, operation)),
    },
  ];
});

function moreOf(id: OperationId): RequirementId[] {
  if (id === 'createTask') return ['TOOL-08'];
  return id === 'sendTaskEvent' ? ['EVENT-05'] : [];
}

async function run(kit: Kit, operation: Operation): Promise<void> {
  const { id, body } = operation;
  const { next } = await twin(kit, id);
  const name = nameOf(id);
  const refuse = async (
    base: Sending,
    change: Partial<Sending>,
    what: string,
    more?: BodyCase['requirements'],
  ) => judgeRefusal(kit, await attempt(kit, id, base, change), `${name} ${what}`, more);

  const cut = (base: Sending) => JSON.stringify(base.body).slice(0, -1);
  const type = 'application/json';
  const first = next();
  await refuse(first, { raw: { content: cut(first), type } }, 'with a body that is JSON but for its end');
  await refuse(next(), { body: 42 }, 'with the number 42 as its body');
  if (body?.requiredIsChoice === false) await refuse(next(), { body: undefined }, 'without a body');
  await notUtf8(kit, id, next());

  const whole = WHOLE[id];
  const base = (): Sending => {
    const sending = next();
    return whole ? { ...sending, body: whole } : sending;
  };
  // The whole is a valid request as well before anything of it is changed.
  if (whole && !(await attempt(kit, id, base())).ok) return;
  const count = bodyCases(body!.schema, base().body as Record<string, unknown>).length;
  for (let i = 0; i < count; i++) {
    const sending = base();
    const wrong = bodyCases(body!.schema, sending.body as Record<string, unknown>)[i]!;
    await refuse(sending, { body: wrong.body }, wrong.what, wrong.requirements);
  }
}

/** Whether it is refused is not stated: some read it with marks in place of what they cannot read. Nobody may stumble. */
async function notUtf8(kit: Kit, id: OperationId, base: Sending): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(base.body).replace('{', '{"odd": "?", '));
  bytes[bytes.indexOf(0x3f)] = 0xff;
  const answer = await attempt(kit, id, base, { raw: { content: bytes, type: 'application/json' } });
  if (answer.status >= 500) {
    const message = `${nameOf(id)} with a body that is not UTF-8 was expected to be refused with 422 (or 400); it was answered with ${said(answer)}`;
    kit.probing.broke('ERROR-01', message, answer);
  }
}
