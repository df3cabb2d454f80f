import { type ApiResponse, summarize } from '../../http-client/response.js';
import { createExtension } from '../../operations/bodies.js';
import { attempt, createRequest, readResourceNames } from '../../operations/requests.js';
import { type ResourceNames, resources } from '../../operations/resources.js';
import { readRule } from '../../operations/rules.js';
import { getSharedWorkspace } from '../../operations/shared-workspaces.js';
import {
  collectMembers,
  containsText,
  findRecord,
  readId,
  readPayload,
} from '../../test-case/read-record.js';
import { describeRequest, readUntil } from '../../test-case/requests.js';
import type { TestContext } from '../../test-case/test-context.js';
import type { CreatedResource, Lifecycle } from './lifecycle.js';

/** Another one, if the service takes it: how many there may be is not stated. */
export async function createAnother(
  t: TestContext,
  { create, resource }: Lifecycle,
  names: ResourceNames,
): Promise<CreatedResource | undefined> {
  const word = t.unique();
  const request = createRequest(t, create, names, undefined, { unique: () => word, now: () => t.now() });
  const created = await attempt(t, create, request, { mayBeRefused: true });
  const own = created.ok ? readResourceNames(resource, created, request) : {};
  const id = own[resources[resource].id!]?.toString();
  return id === undefined ? undefined : { words: [word], id, names: own, request, created };
}

/**
 * The same request again, with other bytes in its files: a service may store files of equal content as one file. If both are there,
 * the removal of one leaves the other.
 */
export async function expectApartFromTwin(
  t: TestContext,
  row: Lifecycle,
  one: CreatedResource,
): Promise<void> {
  const { create, list, remove, resource, what } = row;
  const { id: parameter, ids } = resources[resource];
  if (ids === undefined || row.about.tasks !== undefined) return;
  const { form, ...request } = one.request;
  const other = form && { form: changeFiles(form, t.unique()) };
  const again = await attempt(t, create, { ...request, ...other }, { mayBeRefused: true });
  if (!again.ok) return;
  const id = findTwinId(again, one, ids);
  const twice = `${describeRequest(create)} twice with the same name: expected a ${what} of its own each time, got ${summarize(one.created)} and ${summarize(again)}`;
  if (row.isNameShared) t.expect(readRule(create).id, id !== undefined, twice, one.created, again);
  if (list === undefined || id === undefined) return;
  const readList = () => t.send(list, createRequest(t, list, one.names));
  const isListed = (each: string) => (response: ApiResponse) =>
    findRecord(readPayload(response), ids, each) !== undefined;
  const both = await readUntil(
    t,
    readList,
    (response) => isListed(one.id)(response) && isListed(id)(response),
  );
  if (!isListed(one.id)(both) || !isListed(id)(both)) return;
  const removed = await t.send(remove, createRequest(t, remove, { ...one.names, [parameter!]: id }));
  const left = await readUntil(t, readList, isListed(one.id));
  const message = `${describeRequest(remove)} of "${id}": expected the ${what} "${one.id}" of the same name to stay, got ${summarize(left)}`;
  if (!removed.ok || !left.ok) return;
  const broken = [remove, ...(row.isRemovalListed ? [list] : [])].map((operation) => readRule(operation).id);
  if (!t.expect(broken, isListed(one.id)(left), message, both, removed, left))
    t.inconclusive(`the ${what} "${one.id}" is gone with the other one of its name`);
}

/** The same form with other bytes in its files: their names, and the name in the archive of an extension, stay. */
function changeFiles(form: FormData, word: string): FormData {
  const changed = new FormData();
  for (const [name, part] of form) {
    if (typeof part === 'string') {
      changed.append(name, part);
      continue;
    }
    const isArchive = part.name.endsWith('.zip');
    const content = isArchive ? createExtension(part.name.slice(0, -'.zip'.length), word) : word;
    changed.append(name, new Blob([content], { type: part.type }), part.name);
  }
  return changed;
}

/** The response has the new record, or all of them. */
function findTwinId(again: ApiResponse, { words, id }: CreatedResource, ids: readonly string[]) {
  const payload = readPayload(again);
  const alike = collectMembers(payload).filter((member) => containsText(member, words[0]!));
  return [payload, ...alike]
    .map((record) => readId(record, ids))
    .find((each) => each !== undefined && each !== id);
}

/** One that is gone stays gone when another one is created. */
export async function expectStaysGone(
  t: TestContext,
  row: Lifecycle,
  one: CreatedResource,
  isShown: (response: ApiResponse) => boolean,
  gone: ApiResponse,
): Promise<void> {
  const { list } = row;
  if (list === undefined || row.about.tasks !== undefined) return;
  const next = await createAnother(t, row, one.names);
  const after = next && (await t.send(list, createRequest(t, list, one.names)));
  const message = `${describeRequest(list)}, which no longer had the ${row.what} "${one.id}", after another one was created: expected it to stay removed, got ${summarize(after ?? gone)}`;
  if (next && after?.ok && isShown(after))
    t.fail(readRule(row.remove).id, message, gone, next.created, after);
}

/** A removal in another workspace must not remove it. */
export async function expectKeptElsewhere(
  t: TestContext,
  { list, remove, what }: Lifecycle,
  { id, names }: CreatedResource,
  isShown: (response: ApiResponse) => boolean,
): Promise<void> {
  if (names['workspace-id'] === undefined || list === undefined) return;
  const elsewhere = { ...names, 'workspace-id': (await getSharedWorkspace(t, 'second')).id };
  const removed = await t.send(remove, { ...createRequest(t, remove, elsewhere), mayBeRefused: true });
  const left = await t.send(list, createRequest(t, list, names));
  const message = `${describeRequest(remove)} of "${id}" with the id of another workspace: expected the ${what} to stay in its own, got ${summarize(left)}`;
  if (left.ok) t.expect(readRule(remove).id, isShown(left), message, removed, left);
}
