import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Operation, OperationId, OperationParameter } from '../../../spec/generated/operations.js';
import type { ApiResponse } from '../http-client/response.js';
import { unlike } from '../request-builders/read.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { attempt, baseline, derivedCase, everyOperation, nameOf, withParameter } from './derived-case.js';
import { judgeDetail, judgeRefusal, REFUSAL_COVERS } from './refusal.js';

/** One invalid parameter. */
interface InvalidParameter {
  parameter: OperationParameter;
  /** Undefined: missing. */
  value: string | undefined;
  requirement: RequirementId | undefined;
}

/** Rules that say that something is required, and nothing else about it that a refusal would have to show. */
const REQUIRES: Readonly<Partial<Record<OperationId, RequirementId>>> = {
  deleteSop: 'SOP-03',
  deleteAutomation: 'AUTO-03',
};

/** For each operation with parameters: each required one missing, and each of the wrong type. */
export const parameterCases: readonly TestCase[] = everyOperation.flatMap((operation) => {
  const { id } = operation;
  const invalid = invalidParametersOf(operation);
  if (invalid.length === 0) return [];
  const more = invalid.flatMap(({ requirement }) => requirement ?? []);
  return derivedCase(
    operation,
    {
      id: `errors/${id}-parameters`,
      title: 'refuses a parameter that is missing or of the wrong type',
      covers: [...new Set([...REFUSAL_COVERS, ...more])],
      successes: 2,
    },
    async (t) => {
      const { next } = await baseline(t, id);
      for (const { parameter, value, requirement } of invalid) {
        const valid = next();
        const response = await attempt(t, id, valid, withParameter(valid, parameter, value));
        const { name, in: where } = parameter;
        const kind = where === 'header' ? 'header' : 'query parameter';
        const what = value === undefined ? `without the ${kind} "${name}"` : `with ${name}=${value}`;
        judgeRefusal(t, response, `${nameOf(id)} ${what}`, requirement ? [requirement] : []);
      }
    },
  );
});

function invalidParametersOf({ id, params }: Operation): InvalidParameter[] {
  return params.flatMap((parameter): InvalidParameter[] => {
    const { type, required, in: where } = parameter;
    if (where === 'path') return [];
    const missing = { value: undefined, requirement: where === 'header' ? 'CHAT-12' : REQUIRES[id] } as const;
    const wrong = { value: type === 'integer' ? 'abc' : 'perhaps', requirement: undefined };
    return [...(required ? [missing] : []), ...(type === 'string' ? [] : [wrong])].map((each) => ({
      parameter,
      ...each,
    }));
  });
}

/** Parameters that name a resource, by where they stand: `t`, names and kinds are none. */
const IDS: Readonly<Record<OperationParameter['in'], RegExp>> = {
  path: /^(\w+_)?id$/,
  query: /^id$/,
  header: /-id$/,
};

/** Reading, or changing, what does not exist cannot succeed. The API does not say so of lists and deletions. */
const CANNOT_SUCCEED: readonly OperationId[] = ['getWorkspace', 'getAttachment', 'updateProxy'];

/** For each operation that names a resource: an id that does not exist. */
export const unknownCases: readonly TestCase[] = everyOperation.flatMap((operation) => {
  const { id, params } = operation;
  const ids = params.filter(({ name, in: where }) => IDS[where].test(name));
  if (ids.length === 0) return [];
  const covers: RequirementId[] = id === 'getTask' ? ['POLL-07', 'ERROR-03'] : ['ERROR-03'];
  return derivedCase(
    operation,
    { id: `errors/${id}-unknown`, title: 'reports that a resource does not exist', covers, successes: 2 },
    async (t) => {
      const { next } = await baseline(t, id);
      for (const parameter of ids) {
        const valid = next();
        const { name, in: where } = parameter;
        const value = unlike(String(valid[where === 'header' ? 'headers' : where]?.[name]));
        const response = await attempt(t, id, valid, withParameter(valid, parameter, value));
        judgeUnknown(t, id, name, response, covers);
      }
    },
  );
});

function judgeUnknown(
  t: TestContext,
  id: OperationId,
  parameter: string,
  response: ApiResponse,
  covers: readonly RequirementId[],
): void {
  const { status, ok } = response;
  const what = `${nameOf(id)} with a ${parameter} that does not exist`;
  if (status === 404) {
    for (const requirement of covers) t.expect(requirement, true, '', response);
    judgeDetail(t, response, what);
    return;
  }
  // The API gives the status for tasks; elsewhere another refusal may be as good.
  const isBroken =
    status >= 500 || (parameter === 'task_id' && status !== 429) || (ok && CANNOT_SUCCEED.includes(id));
  if (!isBroken) return;
  for (const requirement of covers)
    t.fail(requirement, `${what}: expected 404, got ${summarize(response)}`, response);
}
