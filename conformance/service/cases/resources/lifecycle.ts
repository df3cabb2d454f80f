import type { RequirementId } from '../../../../spec/generated/documents.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { rowsOf } from '../../request-builders/read.js';
import { idIn, integerIn, memberWith, mentions, payloadOf } from '../../test-case/read-record.js';
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
import { inWorkspace, workspaceOf } from './workspaces.js';

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

/** What operations do with one kind of resource, and how its records are recognized where the API does not show their fields. */
export interface Lifecycle {
  /** `SOP`, in messages. */
  what: string;
  /** The case of its lifecycle, beside what follows from the operations. */
  about: Pick<TestCase, 'id' | 'title' | 'tasks'> & Partial<Pick<TestCase, 'covers' | 'operations'>>;
  inWorkspace?: true;
  /** Fields that may hold the id. None where the client chooses it. */
  ids: readonly string[];
  /** The id is an integer in the query, so that one that looks like it may exist. */
  hasIntegerId?: true;
  create: {
    operation: OperationId;
    requirement: RequirementId;
    /** Requests that say the same in several ways: sent until one is accepted. */
    requests: (word: string) => readonly ApiRequest[];
    /** The API describes the whole request: a refusal breaks the requirement. */
    isDescribed?: true;
    /** What a parameter stands for when it is left out. */
    defaults?: Readonly<Record<string, string | number>>;
    /** Whether a response is that of a creation. */
    isRecord?: (response: ApiResponse, word: string) => boolean;
    /** Removes what came with it. */
    removeMore?: (t: TestContext, record: unknown, key: CallerKey) => void;
  };
  list?: {
    operation: OperationId;
    requirement: RequirementId;
    isList?: (response: ApiResponse) => boolean;
    /** It may hold the record in place of the response to the creation. */
    isFirst?: true;
  };
  isAbout?: (payload: unknown, made: Made) => boolean;
  /** Reads it and changes it. */
  change?: (t: TestContext, one: Made, other: Made, listed: ApiResponse) => Promise<void>;
  remove: {
    operation: OperationId;
    /** The operation that cleans up, where it is another one. */
    cleanup?: OperationId;
    requirements: readonly [RequirementId, ...RequirementId[]];
    request: (id: string) => ApiRequest;
    returnsBoolean?: true;
    /** Whether the id is certain to be one: a refusal proves nothing otherwise. */
    isCertain?: (made: Made) => boolean;
    after?: (t: TestContext, one: Made, deleted: ApiResponse) => Promise<void>;
  };
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
  return row.inWorkspace ? inWorkspace((await workspaceOf(t, which)).id) : {};
}

/** Creates one. Ends the case where nothing names it. It is removed when the case ends. */
export async function make(t: TestContext, row: Lifecycle, key: CallerKey = 'main'): Promise<Made> {
  const { operation, requirement, requests, isDescribed, defaults } = row.create;
  const word = t.unique();
  const place = await placeOf(t, row);
  const send = (more: ApiRequest = {}) =>
    tryUntilAccepted(
      t,
      operation,
      requests(word).map((request) => ({ ...place, key, ...more, ...request })),
    );
  const early = row.ids.length === 0 ? removeMade(t, row, word, key) : undefined;
  const created = await send();
  if (!created.ok) early?.();
  if (created.status === 422 && defaults) {
    const told = await send({ query: defaults });
    const message = `${describeRequest(operation)} without ${Object.keys(defaults)}: expected it to be accepted as with ${JSON.stringify(defaults)}, got ${summarize(created)}`;
    if (told.ok) {
      t.fail(requirement, message, told, created);
      await identify(t, row, told, word, key);
    }
  }
  if (operations[operation].deprecated) expectServed(t, created, describeRequest(operation));
  if (created.status === 415) t.inconclusive(`its form is not accepted: ${summarize(created)}`);
  (isDescribed ? mustSucceed : shouldSucceed)(t, requirement, created, describeRequest(operation));
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
  const { ids, list, create } = row;
  const place = await placeOf(t, row);
  const idOf = (record: unknown) =>
    row.hasIntegerId ? integerIn(record, ids)?.toString() : idIn(record, ids);
  let record = payloadOf(created);
  create.removeMore?.(t, record, key);
  if (list && (list.isFirst || idOf(record) === undefined)) {
    const ask = () => t.send(list.operation, { ...place, key });
    const listed = await readUntil(t, ask, (response) => mentions(payloadOf(response), word));
    mustSucceed(t, list.requirement, listed, describeRequest(list.operation));
    const saved = list.isFirst ? memberWith(record, word) : undefined;
    record = memberWith(payloadOf(listed), word) ?? saved ?? record;
    if (list.isFirst && !mentions(record, word)) {
      const message = `${describeRequest(list.operation)} after a ${row.what} was created: expected it there, got ${summarize(listed)}`;
      if (rowsOf(payloadOf(listed))?.length === 0) t.fail(create.requirement, message, created, listed);
      t.inconclusive(`the ${row.what} that was just created is not found by its texts: ${summarize(listed)}`);
    }
  }
  const id = idOf(record);
  if (id === undefined)
    t.inconclusive(
      `nothing names the ${row.what} (looked for ${ids.join(', ')}): ${summarize(created)}, ${JSON.stringify(record)}`,
    );
  const workspace = place.headers?.['workspace-id'];
  return { words: [word], id, record, created, workspace, gone: removeMade(t, row, id, key, place) };
}

function removeMade(t: TestContext, row: Lifecycle, id: string, key: CallerKey, place: ApiRequest = {}) {
  const { operation, cleanup = operation, request } = row.remove;
  return removeLater(t, `${row.what} ${id}`, cleanup, { ...place, ...request(id), key });
}
