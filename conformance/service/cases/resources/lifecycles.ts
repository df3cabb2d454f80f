import type { OperationId } from '../../../../spec/generated/operations.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { createRequest } from '../../operations/requests.js';
import { readRule } from '../../operations/rules.js';
import { containsText, readPayload } from '../../test-case/read-record.js';
import { describeRequest, readUntil, requireOpenSuccess } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { chats } from './chats.js';
import {
  type CreatedResource,
  createLifecycleCase,
  isAbout,
  isNamed,
  type Lifecycle,
  readOperations,
} from './lifecycle.js';
import { createAnother } from './neighbors.js';

/** What the removal of either path deletes is gone from the lists of both, if both had it. */
async function expectGoneFromLists(
  t: TestContext,
  row: Lifecycle,
  one: CreatedResource,
  { list: newList, remove: newRemoval }: Lifecycle,
): Promise<void> {
  const lists = [row.list!, newList!];
  for (const remove of [row.remove, newRemoval]) {
    const made = await createAnother(t, row, one.names);
    if (!made) return;
    const readList = (list: OperationId) => t.send(list, createRequest(t, list, made.names));
    const before = new Map<OperationId, ApiResponse>();
    for (const list of lists) before.set(list, await readList(list));
    const isShown = (response: ApiResponse) => isAbout(row, response, made);
    const removed = await t.send(remove, createRequest(t, remove, made.names));
    if (!removed.ok || ![...before.values()].every((response) => response.ok && isShown(response))) continue;
    for (const [list, shown] of before) {
      const after = await readUntil(
        t,
        () => readList(list),
        (response) => !isShown(response),
      );
      const message = `${describeRequest(list)} after ${describeRequest(remove)} of "${made.id}", which it had: expected it to be gone, got ${summarize(after)}`;
      if (after.ok) t.expect(readRule(remove).id, !isShown(after), message, shown, removed, after);
    }
  }
}

/** Resources that are created, listed, changed and removed. */

export const profiles: Lifecycle = {
  ...readOperations('profile'),
  what: 'profile',
  about: {
    id: 'resources/profile',
    title: 'A browser profile is created with its id, listed and deleted, and another one stays',
  },
};

const browserProfiles: Lifecycle = {
  ...profiles,
  about: {
    id: 'resources/profile-old-paths',
    title: 'The deprecated operations list and delete the same profiles',
    operations: ['listProfiles'],
  },
  list: 'listBrowserProfiles',
  remove: 'deleteBrowserProfile',
  change: (t, one) => expectGoneFromLists(t, browserProfiles, one, profiles),
};

export const extensions: Lifecycle = {
  ...readOperations('extension'),
  what: 'extension',
  about: { id: 'resources/extension', title: 'An extension is uploaded, listed and deleted' },
  isRemovalListed: true,
};

const browserExtensions: Lifecycle = {
  ...extensions,
  about: {
    id: 'resources/extension-old-paths',
    title: 'The deprecated operations upload and list the same extensions, and the old path deletes them',
    operations: ['listExtensions'],
  },
  create: 'uploadBrowserExtension',
  list: 'listBrowserExtensions',
  remove: 'deleteBrowserExtension',
  change: (t, one) => expectGoneFromLists(t, browserExtensions, one, extensions),
};

export const files: Lifecycle = {
  ...readOperations('file'),
  what: 'file',
  about: {
    id: 'resources/file',
    title: 'A file is uploaded, gets a unique id and is deleted, and another one stays',
  },
  isNameShared: true,
};

export const automations: Lifecycle = {
  ...readOperations('automation'),
  what: 'automation',
  about: {
    id: 'resources/automation',
    title: 'An automation is created, listed and deleted, and another one stays',
  },
};

export const sops: Lifecycle = {
  ...readOperations('sop'),
  what: 'SOP',
  about: {
    id: 'resources/sop',
    title: 'A SOP is created, listed, changed in place and deleted, and another one stays',
  },
  async change(t, one, other, listed) {
    const [old] = one.words;
    const word = t.unique();
    const source = { unique: () => word, now: () => t.now() };
    const request = createRequest(t, 'saveSop', one.names, undefined, source);
    const changed = await t.send('saveSop', { ...request, query: { t: one.id } });
    const isCertain = isNamed(sops, one);
    if (!isCertain && !changed.ok)
      t.inconclusive(`no t names the SOP: tried ${one.id}, got ${summarize(changed)}`);
    requireOpenSuccess(t, 'SOP-02', changed, `POST /sop?t=${one.id}`);
    one.words.push(word);
    const isUpdated = (response: ApiResponse) => {
      const payload = readPayload(response);
      return (
        containsText(payload, word) && !containsText(payload, old!) && containsText(payload, other.words[0]!)
      );
    };
    const list = createRequest(t, 'listSops', one.names);
    const after = await readUntil(t, () => t.send('listSops', list), isUpdated);
    if (!isUpdated(after) && !isCertain) return;
    const message = `GET /sop after the SOP t=${one.id} was changed: expected "${word}" in place of "${old}", got ${summarize(after)}`;
    t.expect('SOP-02', isUpdated(after), message, listed, changed, after);
  },
};

export const lifecycleCases: readonly TestCase[] = [
  profiles,
  browserProfiles,
  files,
  extensions,
  browserExtensions,
  sops,
  automations,
  chats,
].map(createLifecycleCase);
