import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Operation, OperationId, OperationParameter } from '../../../spec/generated/operations.js';
import type { Probe } from '../cases/test-case.js';
import type { Answer, Sending } from '../http-client/response.js';
import { unlike } from '../request-builders/read.js';
import { type Kit, said, withKit } from '../request-builders/tracker.js';
import { attempt, costs, everyOperation, nameOf, twin, withParameter } from './attempt.js';
import { judgeDetail } from './refusal.js';

/** Parameters that name something, by where they stand: `t`, names and kinds of things are none. */
const NAMES: Readonly<Record<OperationParameter['in'], RegExp>> = {
  path: /^(\w+_)?id$/,
  query: /^id$/,
  header: /-id$/,
};

/** Reading, or changing, what is not there cannot succeed. Of lists and deletions the API does not say so. */
const CANNOT_SUCCEED: readonly OperationId[] = ['getWorkspace', 'getAttachment', 'updateProxy'];

/** For each operation that names something: something else of the same kind that is not there. */
export const unknownProbes: readonly Probe[] = everyOperation.flatMap((operation): Probe[] => {
  const { id } = operation;
  const named = namesOf(operation);
  if (named.length === 0) return [];
  const covers: RequirementId[] = id === 'getTask' ? ['POLL-07', 'ERROR-03'] : ['ERROR-03'];
  return [
    {
      id: `errors/${id}-unknown`,
      title: `${nameOf(id)} says that something is not there`,
      covers,
      ...costs(id, 2),
      run: (probing) => withKit(probing, (kit) => run(kit, operation, named, covers)),
    },
  ];
});

function namesOf({ params }: Operation): OperationParameter[] {
  return params.filter(({ name, in: where }) => NAMES[where].test(name));
}

async function run(
  kit: Kit,
  { id }: Operation,
  named: readonly OperationParameter[],
  covers: readonly RequirementId[],
): Promise<void> {
  const { next } = await twin(kit, id);
  for (const parameter of named) {
    const base = next();
    const value = unlike(String(nameIn(base, parameter)));
    const answer = await attempt(kit, id, base, withParameter(base, parameter, value));
    judge(kit, id, parameter, answer, covers);
  }
}

function nameIn(sending: Sending, { name, in: where }: OperationParameter): unknown {
  return sending[where === 'header' ? 'headers' : where]?.[name];
}

function judge(
  kit: Kit,
  id: OperationId,
  { name }: OperationParameter,
  answer: Answer,
  covers: readonly RequirementId[],
): void {
  const { status } = answer;
  const what = `${nameOf(id)} with a ${name} that there is not`;
  if (status === 404) {
    for (const requirement of covers) kit.probing.expect(requirement, true, '', answer);
    judgeDetail(kit, answer, what);
    return;
  }
  // The API gives the status for tasks; elsewhere another refusal may be as good.
  const isBroken =
    status >= 500 || (name === 'task_id' && status !== 429) || (answer.ok && CANNOT_SUCCEED.includes(id));
  if (!isBroken) return;
  const message = `${what} was expected to be answered with 404; it was answered with ${said(answer)}`;
  for (const requirement of covers) kit.probing.broke(requirement, message, answer);
}
