import { field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { sopsOf } from '../../request-builders/builders.js';
import { inWorkspace } from '../../request-builders/workspaces.js';
import { mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { readUntil, shouldSucceed, tryUntilAccepted } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import { chats } from './chats.js';
import { type Lifecycle, operationsOn } from './lifecycle.js';
import { lifecycleCase } from './run-lifecycle.js';

/** Resources that are created, listed, changed and removed. */

export const profiles: Lifecycle = {
  ...operationsOn('profile'),
  what: 'profile',
  about: {
    id: 'resources/profile',
    title: 'A browser profile is made under its id, listed, deleted and gone, and another one stays',
  },
};

const browserProfiles: Lifecycle = {
  ...profiles,
  about: {
    id: 'resources/profile-old-paths',
    title: 'The deprecated operations list and delete the same profiles',
    covers: ['VERSION-04'],
    operations: ['listProfiles'],
  },
  list: 'listBrowserProfiles',
  remove: 'deleteBrowserProfile',
};

export const extensions: Lifecycle = {
  ...operationsOn('extension'),
  what: 'extension',
  about: { id: 'resources/extension', title: 'An extension is uploaded, listed, deleted and gone' },
  isRemovalListed: true,
};

const browserExtensions: Lifecycle = {
  ...extensions,
  about: {
    id: 'resources/extension-old-paths',
    title: 'The deprecated operations upload and list extensions, and the old path deletes them',
    covers: ['VERSION-04'],
  },
  create: 'uploadBrowserExtension',
  list: 'listBrowserExtensions',
  remove: 'deleteBrowserExtension',
};

export const files: Lifecycle = {
  ...operationsOn('file'),
  what: 'file',
  about: {
    id: 'resources/file',
    title: 'A file is uploaded, gets an id of its own, is deleted and gone, and another one stays',
  },
};

export const automations: Lifecycle = {
  ...operationsOn('automation'),
  what: 'automation',
  about: {
    id: 'resources/automation',
    title: 'An automation is made, listed, deleted and gone, and another one stays',
  },
};

export const sops: Lifecycle = {
  ...operationsOn('sop'),
  what: 'SOP',
  about: {
    id: 'resources/sop',
    title: 'A SOP is made, listed, changed in its place, deleted and gone, and another one stays',
  },
  isAbout: (payload, { words }) => words.some((word) => mentions(payload, word)),
  async change(t, one, other, listed) {
    const [old] = one.words;
    const word = t.unique();
    const place = inWorkspace(one.workspace!);
    const sending = { ...place, query: { t: one.id } };
    const changed = await tryUntilAccepted(
      t,
      'saveSop',
      sopsOf(word).map((request) => ({ ...sending, ...request })),
    );
    if (!isCalledT(one) && !changed.ok)
      t.inconclusive(`no t names the SOP: tried ${one.id}, got ${summarize(changed)}`);
    shouldSucceed(t, 'SOP-02', changed, `POST /sop?t=${one.id}`);
    one.words.push(word);
    const isIn = (response: ApiResponse) => {
      const payload = payloadOf(response);
      return mentions(payload, word) && !mentions(payload, old!) && mentions(payload, other.words[0]!);
    };
    const after = await readUntil(t, () => t.send('listSops', place), isIn);
    if (!isIn(after) && !isCalledT(one)) return;
    const message = `GET /sop after the SOP t=${one.id} was changed: expected "${word}" in place of "${old}", got ${summarize(after)}`;
    t.expect('SOP-02', isIn(after), message, listed, changed, after);
  },
  isCertain: isCalledT,
};

function isCalledT({ record, id }: { record: unknown; id: string }): boolean {
  return String(field(record, 't')) === id;
}

export const lifecycleCases: readonly TestCase[] = [
  profiles,
  browserProfiles,
  files,
  extensions,
  browserExtensions,
  sops,
  automations,
  chats,
].map(lifecycleCase);
