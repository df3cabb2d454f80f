import { type OperationId, operationIds } from '../../../../spec/generated/operations.js';
import { readField, toFields } from '../../../conversation/json.js';
import { findResultMismatch, hasStatedType } from '../../../rules/stated-schema.js';
import { type ApiRequest, type ApiResponse, summarize } from '../../http-client/response.js';
import { definitions } from '../../operations/definitions.js';
import {
  createRequest,
  createRequestFactory,
  listUsedOperations,
  readResourceNames,
  sendInSomeForm,
} from '../../operations/requests.js';
import { type ResourceName, type ResourceNames, resources } from '../../operations/resources.js';
import { readRule } from '../../operations/rules.js';
import { getSharedWorkspace, selectWorkspace } from '../../operations/shared-workspaces.js';
import {
  collectLeaves,
  containsText,
  createUnknownId,
  findMember,
  findRecord,
  readId,
  readPayload,
  readRows,
} from '../../test-case/read-record.js';
import {
  describeRequest,
  isGone,
  readUntil,
  requireFollowUp,
  requireOpenSuccess,
  requireSuccess,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { expectApartFromTwin, expectKeptElsewhere, expectStaysGone } from './neighbors.js';

export interface CreatedResource {
  /** Unique texts in it. */
  words: string[];
  id: string;
  /** Its ids in requests. */
  names: ResourceNames;
  request: ApiRequest;
  created: ApiResponse;
}

/** The lifecycle of one kind of resource, and how to recognize its records if the API does not state their fields. */
export interface Lifecycle {
  resource: ResourceName;
  /** `SOP`, in messages. */
  what: string;
  create: OperationId;
  list: OperationId | undefined;
  remove: OperationId;
  read?: OperationId;
  changes?: readonly OperationId[];
  /** The test case, without what follows from the operations. */
  about: Pick<TestCase, 'id' | 'title' | 'tasks'> & Partial<Pick<TestCase, 'covers' | 'operations'>>;
  change?: (
    t: TestContext,
    one: CreatedResource,
    other: CreatedResource,
    listed: ApiResponse,
  ) => Promise<void>;
  /** A second one may have the same name, and no list is searched for it. */
  isNameShared?: true;
  /** The list after the removal is also evidence that lists are complete. */
  isRemovalListed?: true;
  afterRemoval?: (t: TestContext, one: CreatedResource, deleted: ApiResponse) => Promise<void>;
}

/** The definition of a resource that an operation creates. */
export function readOperations(
  resource: ResourceName,
): Pick<Lifecycle, 'resource' | 'create' | 'list' | 'remove'> {
  const { by, remove } = resources[resource];
  const list = operationIds.find((id) => definitions[id].lists === resource);
  return { resource, create: by!, list, remove: remove![0]! };
}

/** Whether a response shows it: by its unique texts, or by its id in a field with ids of such records. */
export function isAbout(row: Lifecycle, response: ApiResponse, made: CreatedResource): boolean {
  const payload = readPayload(response);
  const { ids, also } = resources[row.resource];
  // An id that the client chose may be part of other texts.
  if (ids === undefined)
    return collectLeaves(payload).some(
      (leaf) => leaf.value === made.id || leaf.path.split('.').includes(made.id),
    );
  if (made.words.some((word) => containsText(payload, word))) return true;
  const { 'chat-id': chat } = made.names;
  if (chat !== undefined) return findRecord(payload, also!['chat-id']!, String(chat)) !== undefined;
  return !isNamedByTime(row) && findRecord(payload, ids, made.id) !== undefined;
}

/** It is identified by a time, and which field of a record contains it is open. */
function isNamedByTime({ resource }: Lifecycle): boolean {
  return resources[resource].id === 't';
}

/** Whether its identification is certain: a time is, if it is in a field named `t`. */
export function isNamed(row: Lifecycle, { created, words, id }: CreatedResource): boolean {
  const payload = readPayload(created);
  const hasTime = (record: unknown) => String(readField(record, 't')) === id;
  return !isNamedByTime(row) || hasTime(payload) || hasTime(findMember(payload, words[0]!));
}

/** Creates a resource. Ends the case if it has no id. It is removed when the case ends. */
export async function createNamed(t: TestContext, row: Lifecycle): Promise<CreatedResource> {
  const { resource, what, create, list } = row;
  const next = await createRequestFactory(t, create);
  const word = t.unique();
  const source = { unique: () => word, now: () => t.now() };
  const { request, response } = await sendInSomeForm(t, create, next, source);
  const judge = definitions[create].open ? requireOpenSuccess : requireSuccess;
  judge(t, readRule(create).id, response, describeRequest(create));
  const names = readResourceNames(resource, response, request);
  const id = names[resources[resource].id!]?.toString();
  if (id === undefined) {
    const listed = list && (await t.send(list, createRequest(t, list, names)));
    const message = `${describeRequest(create)}: expected a ${what} that is listed then, got ${summarize(response)}`;
    if (listed && readRows(readPayload(listed))?.length === 0)
      t.fail(readRule(create).id, message, response, listed);
    t.inconclusive(`nothing names the ${what} in ${summarize(response)}`);
  }
  return { words: [word], id, names, request, created: response };
}

/** The lifecycle of a resource, next to another one that must not change. */
export function createLifecycleCase(row: Lifecycle): TestCase {
  const { create, list, remove, about } = row;
  const judged = [create, ...(list ? [list] : []), remove];
  const used = [...listUsedOperations(create), ...judged, ...(about.operations ?? [])];
  const covers = [...judged.map((operation) => readRule(operation).id), ...(about.covers ?? [])];
  return {
    ...about,
    covers: [...new Set(covers)],
    operations: [...new Set(used)],
    run: (t) => runLifecycle(t, row),
  };
}

async function runLifecycle(t: TestContext, row: Lifecycle): Promise<void> {
  const { what, create, list } = row;
  const before = list && (await t.send(list, (await createRequestFactory(t, list))()));
  if (before) requireSuccess(t, readRule(list).id, before, describeRequest(list));
  const [one, other] = [await createNamed(t, row), await createNamed(t, row)];
  const areRecords = [one, other].every(({ created }) => findResultMismatch(create, created) === undefined);
  const areSame = one.id === other.id;
  if (areRecords && areSame && !isNamed(row, one))
    t.inconclusive(`nothing names one ${what} and not the other: ${summarize(one.created)}`);
  const twice = `${describeRequest(create)} twice: expected a ${what} of its own each time, got ${summarize(one.created)} and ${summarize(other.created)}`;
  const isOwn = [one, other].map(hasOwnId);
  // If the client chose the id, a record without an id proves nothing.
  if (!areRecords || areSame || !isOwn.includes(undefined))
    t.expect(
      readRule(create).id,
      areRecords && !areSame && !isOwn.includes(false),
      twice,
      one.created,
      other.created,
    );
  await expectApartFromTwin(t, row, one);
  if (list && before) {
    const hasBoth = (response: ApiResponse) => isAbout(row, response, one) && isAbout(row, response, other);
    const listed = await readUntil(t, () => t.send(list, createRequest(t, list, one.names)), hasBoth);
    const isList = listed.ok && hasStatedType(list, listed);
    if (isList && !isAbout(row, listed, one) && !isAbout(row, listed, other) && !canDistinguish(row, listed))
      t.inconclusive(`${describeRequest(list)} does not show which ${what} is which: ${summarize(listed)}`);
    const isListed = isList && hasBoth(listed) && !isAbout(row, before, one);
    const message = `${describeRequest(list)}: expected the two that were just created, "${one.id}" and "${other.id}", got ${summarize(listed)}`;
    t.expect(readRule(list).id, isListed, message, before, listed);
    if (one.names['workspace-id'] !== undefined) await expectUnlistedElsewhere(t, row, list, one, listed);
    await row.change?.(t, one, other, listed);
    if (!isAbout(row, listed, one))
      t.inconclusive(`the ${what} "${one.id}" is not listed, so nothing shows that it is removed`);
    await expectKeptElsewhere(t, row, one, (response) => isAbout(row, response, one));
  }
  await expectRemoved(t, row, one, other);
}

/** Whether the record has the id; undefined if it has none at all. */
function hasOwnId({ created, id }: CreatedResource): boolean | undefined {
  const payload = readPayload(created);
  if (collectLeaves(payload).some(({ value }) => String(value) === id)) return true;
  return readId(toFields(payload), ['id', 'profile_id']) === undefined ? undefined : false;
}

/** Whether a list without two created resources certainly lacks them: it is too short for both, or its records have ids. */
function canDistinguish(row: Lifecycle, listed: ApiResponse): boolean {
  const rows = readRows(readPayload(listed));
  const { ids = ['id'] } = resources[row.resource];
  return (
    rows !== undefined &&
    (rows.length < 2 || (!isNamedByTime(row) && rows.some((each) => readId(each, ids) !== undefined)))
  );
}

async function expectUnlistedElsewhere(
  t: TestContext,
  row: Lifecycle,
  list: OperationId,
  one: CreatedResource,
  listed: ApiResponse,
) {
  const elsewhere = await t.send(list, selectWorkspace((await getSharedWorkspace(t, 'second')).id));
  if (!elsewhere.ok || !isAbout(row, elsewhere, one)) return;
  const message = `${describeRequest(list)} of another workspace: expected no ${row.what} of this one, got ${summarize(elsewhere)}`;
  t.fail(readRule(list).id, message, listed, elsewhere);
}

/** Removes one of them, or the only one. */
export async function expectRemoved(
  t: TestContext,
  row: Lifecycle,
  one: CreatedResource,
  other?: CreatedResource,
): Promise<void> {
  const { list, remove: operation } = row;
  const requirement = readRule(operation).id;
  const name = `${describeRequest(operation)} of "${one.id}"`;
  const remove = (names: ResourceNames) => t.send(operation, createRequest(t, operation, names));
  const never = list
    ? undefined
    : await remove({ ...one.names, [resources[row.resource].id!]: createUnknownId(one.id) });
  const deleted = await remove(one.names);
  if (deleted.status === 404 && definitions[operation].open === 'lookup')
    t.inconclusive(`nothing names the ${row.what} for certain: ${name} gave ${summarize(deleted)}`);
  requireFollowUp(t, requirement, deleted, name);
  if (list) {
    const isShown = (response: ApiResponse) => isAbout(row, response, one);
    const readList = () => t.send(list, createRequest(t, list, one.names));
    const after = await readUntil(t, readList, (response) => !isShown(response));
    if (isShown(after) && !isNamed(row, one))
      t.inconclusive(`no t names the ${row.what} for certain: tried ${one.id}, got ${summarize(deleted)}`);
    const stays = other ? ` and "${other.id}" to be there` : '';
    const message = `${describeRequest(list)} after "${one.id}" was removed: expected it to be gone${stays}, got ${summarize(after)}`;
    const isKept = after.ok && !isShown(after) && (!other || isAbout(row, after, other));
    t.expect(requirement, isKept, message, deleted, after);
    if (row.isRemovalListed) t.expect(readRule(list).id, isKept, message, deleted, after);
    if (isKept && other) await expectStaysGone(t, row, one, isShown, after);
  }
  await row.afterRemoval?.(t, one, deleted);
  // If a list shows it, a second removal may get the same response as the first.
  if (!never || !other) return;
  const again = await remove(one.names);
  const still = `${name}: expected the same response to a second removal as for a resource that never existed (${summarize(never)}), got ${summarize(again)}`;
  if (isGone(never, deleted, again) === false) t.fail(requirement, still, never, deleted, again);
  const last = await remove(other.names);
  const kept = `${describeRequest(operation)} of "${other.id}", which was still there: expected it to be removed, got ${summarize(last)}`;
  t.expect(requirement, last.ok, kept, deleted, last);
}
