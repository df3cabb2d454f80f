import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId, OperationParameter } from '../../../spec/generated/operations.js';
import { INTEGER_TEXTS, LARGE_INTEGERS } from '../../common/interesting-values.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import { attempt } from '../operations/requests.js';
import { createUnknownId } from '../test-case/read-record.js';
import { describeRequest } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import {
  createDerivedCase,
  establishBaseline,
  everyOperation,
  judgeDetail,
  judgeRefusal,
  judgeUnusual,
  REFUSAL_COVERS,
} from './derived-case.js';

/** The part of a request that contains the parameter, without it or with another value. */
function replaceParameter(
  request: ApiRequest,
  { name, in: where }: OperationParameter,
  value: string | undefined,
): Partial<ApiRequest> {
  const part = where === 'header' ? 'headers' : where;
  const { [name]: _, ...others } = (request[part] ?? {}) as Record<string, string>;
  return { [part]: value === undefined ? others : { ...others, [name]: value } };
}

/** Rules that only state that something is required, with nothing else that a refusal would have to show. */
const REQUIRES: Readonly<Partial<Record<OperationId, RequirementId>>> = {
  deleteSop: 'SOP-03',
  deleteAutomation: 'AUTO-03',
};

/** Requirements that the refusal of a request without the parameter is evidence for. */
function listRequirements(id: OperationId, { in: where }: OperationParameter): RequirementId[] {
  return where === 'header' ? ['CHAT-12'] : [REQUIRES[id] ?? []].flat();
}

/** For each operation with parameters: each required one missing, and each of the wrong type. */
export const parameterCases: readonly TestCase[] = everyOperation.flatMap((operation) => {
  const { id } = operation;
  const parameters = operation.params.filter(({ in: where }) => where !== 'path');
  const missing = parameters.filter(({ required }) => required);
  const typed = parameters.filter(({ type }) => type !== 'string');
  if (missing.length + typed.length === 0) return [];
  const more = missing.flatMap((parameter) => listRequirements(id, parameter));
  const about = {
    id: `errors/${id}-parameters`,
    title: 'refuses a parameter that is missing or of the wrong type',
    covers: [...new Set([...REFUSAL_COVERS, ...more])],
    successes: 2,
  } as const;
  return createDerivedCase(operation, about, async (t) => {
    const { next } = await establishBaseline(t, id);
    for (const parameter of missing) {
      const valid = next();
      const response = await attempt(t, id, valid, replaceParameter(valid, parameter, undefined));
      const kind = parameter.in === 'header' ? 'header' : 'query parameter';
      const what = `${describeRequest(id)} without the ${kind} "${parameter.name}"`;
      judgeRefusal(t, response, what, listRequirements(id, parameter));
    }
    for (const parameter of typed) {
      const valid = next();
      const value = parameter.type === 'integer' ? 'abc' : 'perhaps';
      const response = await attempt(t, id, valid, replaceParameter(valid, parameter, value));
      judgeRefusal(t, response, `${describeRequest(id)} with ${parameter.name}=${value}`);
      if (parameter.type !== 'integer') continue;
      for (const unusual of [t.pick(INTEGER_TEXTS), t.pick(LARGE_INTEGERS)]) {
        const other = await attempt(t, id, valid, replaceParameter(valid, parameter, unusual));
        judgeUnusual(t, other, `${describeRequest(id)} with ${parameter.name}=${unusual}`);
      }
    }
  });
});

/** Parameters with ids of resources, by location. `t`, names and kinds are not ids. */
const IDS: Readonly<Record<OperationParameter['in'], RegExp>> = {
  path: /^(\w+_)?id$/,
  query: /^id$/,
  header: /-id$/,
};

/** Reads and changes of missing resources cannot succeed. The API does not say so about lists and deletions. */
const CANNOT_SUCCEED: readonly OperationId[] = ['getWorkspace', 'getAttachment', 'updateProxy'];

/** For each operation with an id parameter: an id that does not exist. */
export const unknownCases: readonly TestCase[] = everyOperation.flatMap((operation) => {
  const { id, params } = operation;
  const ids = params.filter(({ name, in: where }) => IDS[where].test(name));
  if (ids.length === 0) return [];
  const covers: RequirementId[] = id === 'getTask' ? ['POLL-07', 'ERROR-03'] : ['ERROR-03'];
  const title = 'reports that a resource does not exist';
  return createDerivedCase(
    operation,
    { id: `errors/${id}-unknown`, title, covers, successes: 2 },
    async (t) => {
      const { next } = await establishBaseline(t, id);
      for (const parameter of ids) {
        const valid = next();
        const { name, in: where } = parameter;
        const value = createUnknownId(String(valid[where === 'header' ? 'headers' : where]?.[name]));
        const response = await attempt(t, id, valid, replaceParameter(valid, parameter, value));
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
  const what = `${describeRequest(id)} with a ${parameter} that does not exist`;
  // The API states the status for tasks only; elsewhere other refusals are acceptable.
  const isBroken =
    status >= 500 ||
    (parameter === 'task_id' && status !== 404 && status !== 429) ||
    (ok && CANNOT_SUCCEED.includes(id));
  if (status !== 404 && !isBroken) return;
  const message = `${what}: expected 404, got ${summarize(response)}`;
  t.expect(covers, !isBroken, message, response);
  if (!isBroken) judgeDetail(t, response, what);
}
