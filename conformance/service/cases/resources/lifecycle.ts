import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import { asFields } from '../../../conversation/json.js';
import { ruleOf } from '../../from-openapi/derived-case.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { requestBuilders } from '../../request-builders/builders.js';
import { formsOf, idOf, idParameterOf } from '../../request-builders/requests.js';
import { type ResourceName, resources } from '../../request-builders/resources.js';
import { inWorkspace, workspaceOf } from '../../request-builders/workspaces.js';
import { idIn, memberWith, mentions, payloadOf, rowsOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import {
  describeRequest,
  expectServed,
  mustSucceed,
  readUntil,
  removeLater,
  shouldSucceed,
  tryUntilAccepted,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

export type CallerKey = 'main' | 'other';

/** A resource that a case has created. */
export interface Made {
  /** Texts in it that nothing else has. */
  words: string[];
  id: string;
  record: unknown;
  created: ApiResponse;
  workspace: string | undefined;
  /** To be called once it is known to be removed. */
  gone: () => void;
}

/** What becomes of one kind of resource, and how its records are recognized where the API does not show their fields. */
export interface Lifecycle extends ResourceOperations {
  /** `SOP`, in messages. */
  what: string;
  /** The case of its lifecycle, beside what follows from the operations. */
  about: Pick<TestCase, 'id' | 'title' | 'tasks'> & Partial<Pick<TestCase, 'covers' | 'operations'>>;
  isAbout?: (payload: unknown, made: Made) => boolean;
  /** Reads it and changes it. */
  change?: (t: TestContext, one: Made, other: Made, listed: ApiResponse) => Promise<void>;
  /** What the list holds after the removal shows that the list is right, too. */
  isRemovalListed?: true;
  /** Whether the id is certain to be one: a refusal of its removal proves nothing otherwise. */
  isCertain?: (made: Made) => boolean;
  afterRemoval?: (t: TestContext, one: Made, deleted: ApiResponse) => Promise<void>;
}

interface ResourceOperations {
  create: OperationId;
  list: OperationId | undefined;
  remove: OperationId;
  /** Removes it when the case ends, and then what came with it. */
  cleanup: readonly [OperationId, ...OperationId[]];
  /** Fields that may hold the id. None where the client chooses it. */
  ids: readonly string[];
  isInWorkspace: boolean;
  isAmongOthers: boolean;
}

/** What the table of resources says of one that an operation creates. */
export function operationsOn(name: ResourceName): ResourceOperations {
  const { by, list, remove, ids = [], isAmongOthers = false } = resources[name];
  const cleanup = remove as ResourceOperations['cleanup'];
  const isInWorkspace = requestBuilders[by!].needs?.includes('workspace') ?? false;
  return { create: by!, list, remove: cleanup[0], cleanup, ids, isInWorkspace, isAmongOthers };
}

/** Removes the one with this id. */
export function requestToRemove(operation: OperationId, id: string): ApiRequest {
  const { name, in: where } = idParameterOf(operation);
  return { [where]: { [name]: id } };
}

export function isAbout({ isAbout: own }: Lifecycle, response: ApiResponse, made: Made): boolean {
  const payload = payloadOf(response);
  return own ? own(payload, made) : [...made.words, made.id].some((token) => mentions(payload, token));
}

/** The workspace that the resource is in, as a part of requests. */
export async function placeOf(
  t: TestContext,
  row: Lifecycle,
  which: 'main' | 'second' = 'main',
): Promise<Pick<ApiRequest, 'headers'>> {
  return row.isInWorkspace ? inWorkspace((await workspaceOf(t, which)).id) : {};
}

/** Creates one. Ends the case where nothing names it. It is removed when the case ends. */
export async function make(t: TestContext, row: Lifecycle, key: CallerKey = 'main'): Promise<Made> {
  const { create } = row;
  const requirement = ruleOf(create).id;
  const defaults = operations[create].params.filter((each) => each.default !== undefined);
  const word = t.unique();
  const place = await placeOf(t, row);
  const send = (more: ApiRequest = {}) =>
    tryUntilAccepted(
      t,
      create,
      formsOf(create, { unique: () => word, now: () => t.now() }).map((request) => ({
        ...place,
        key,
        ...more,
        ...request,
      })),
    );
  const early = row.ids.length === 0 ? removeMade(t, row, word, key) : undefined;
  const created = await send();
  if (!created.ok) early?.();
  if (created.status === 422 && defaults.length > 0) {
    const query = Object.fromEntries(defaults.map((each) => [each.name, each.default]));
    const told = await send({ query });
    const message = `${describeRequest(create)} without ${Object.keys(query)}: expected it to be accepted as with ${JSON.stringify(query)}, got ${summarize(created)}`;
    if (told.ok) {
      t.fail(requirement, message, told, created);
      await identify(t, row, told, word, key);
    }
  }
  if (operations[create].deprecated) expectServed(t, created, describeRequest(create));
  if (created.status === 415) t.inconclusive(`its form is not accepted: ${summarize(created)}`);
  const judge = requestBuilders[create].open ? shouldSucceed : mustSucceed;
  judge(t, requirement, created, describeRequest(create));
  if (!early) return identify(t, row, created, word, key);
  return { words: [], id: word, record: payloadOf(created), created, workspace: undefined, gone: early };
}

/** The resource of a response, or of the list where the response does not name it. */
export async function identify(
  t: TestContext,
  row: Lifecycle,
  created: ApiResponse,
  word: string,
  key: CallerKey = 'main',
): Promise<Made> {
  const { ids, list, create, remove, isAmongOthers } = row;
  const place = await placeOf(t, row);
  let record = payloadOf(created);
  removeCompanions(t, row, record, key);
  if (list && (isAmongOthers || idOf(remove, record, ids) === undefined)) {
    const ask = () => t.send(list, { ...place, key });
    const listed = await readUntil(t, ask, (response) => mentions(payloadOf(response), word));
    mustSucceed(t, ruleOf(list).id, listed, describeRequest(list));
    const saved = isAmongOthers ? memberWith(record, word) : undefined;
    record = memberWith(payloadOf(listed), word) ?? saved ?? record;
    if (isAmongOthers && !mentions(record, word)) {
      const message = `${describeRequest(list)} after a ${row.what} was created: expected it there, got ${summarize(listed)}`;
      if (rowsOf(payloadOf(listed))?.length === 0) t.fail(ruleOf(create).id, message, created, listed);
      t.inconclusive(`the ${row.what} that was just created is not found by its texts: ${summarize(listed)}`);
    }
  }
  const id = idOf(remove, record, ids)?.toString();
  if (id === undefined)
    t.inconclusive(
      `nothing names the ${row.what} (looked for ${ids.join(', ')}): ${summarize(created)}, ${JSON.stringify(record)}`,
    );
  const workspace = place.headers?.['workspace-id'];
  return { words: [word], id, record, created, workspace, gone: removeMade(t, row, id, key, place) };
}

function removeMade(t: TestContext, row: Lifecycle, id: string, key: CallerKey, place: ApiRequest = {}) {
  const [cleanup] = row.cleanup;
  return removeLater(t, `${row.what} ${id}`, cleanup, { ...place, ...requestToRemove(cleanup, id), key });
}

/** What came with it: the task that answers a chat costs money as long as it runs. */
function removeCompanions(t: TestContext, { what, cleanup }: Lifecycle, record: unknown, key: CallerKey) {
  for (const operation of cleanup.slice(1)) {
    const { name } = idParameterOf(operation);
    const id = idIn(asFields(record), [name, name.replace('_id', 'Id')]);
    if (id !== undefined)
      removeLater(t, `${name} ${id} of a ${what}`, operation, { ...requestToRemove(operation, id), key });
  }
}
