import { asFields, field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { extensionForm, messageForm } from '../../request-builders/bodies.js';
import { isRecord, leavesOf, mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { bodiesUnder, readUntil, shouldSucceed, tryBodies } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import { chats } from './chats.js';
import type { Lifecycle } from './lifecycle.js';
import { lifecycleCase } from './run-lifecycle.js';
import { inWorkspace } from './workspaces.js';

/** Resources that are created, listed, changed and removed. Where the API does not show a body, several are tried. */

export const profiles: Lifecycle = {
  what: 'profile',
  about: {
    id: 'resources/profile',
    title: 'A browser profile is made under its id, listed, deleted and gone, and another one stays',
  },
  ids: [],
  create: {
    operation: 'createProfile',
    requirement: 'PROFILE-02',
    requests: (id) => [{ body: { id } }],
    isRecord: (response, id) => leavesOf(payloadOf(response)).some(({ value }) => value === id),
  },
  list: { operation: 'listProfiles', requirement: 'PROFILE-03', isList: ({ r }) => Array.isArray(r) },
  remove: {
    operation: 'deleteProfile',
    requirements: ['PROFILE-04'],
    request: (profile_id) => ({ path: { profile_id } }),
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
  list: { operation: 'listBrowserProfiles', requirement: 'BROWSER-03', isList: ({ r }) => isRecord(r) },
  remove: {
    ...profiles.remove,
    operation: 'deleteBrowserProfile',
    cleanup: 'deleteProfile',
    requirements: ['BROWSER-04'],
  },
};

/** What the part with the archive may be called (open point `upload.part-names`). */
const PARTS = ['file', 'extension', 'archive', 'zip', 'upload'];

export const extensions: Lifecycle = {
  what: 'extension',
  about: { id: 'resources/extension', title: 'An extension is uploaded, listed, deleted and gone' },
  ids: ['id', 'extension_id', 'extensionId', 'uuid', 'key'],
  create: {
    operation: 'uploadExtension',
    requirement: 'EXT-01',
    requests: (name) => PARTS.map((part) => ({ form: extensionForm(part, name) })),
    isRecord: ({ r }) => isRecord(r) || typeof r === 'string',
  },
  list: { operation: 'listExtensions', requirement: 'EXT-02', isList: ({ r }) => Array.isArray(r) },
  remove: {
    operation: 'deleteExtension',
    requirements: ['EXT-03', 'EXT-02'],
    request: (extension_id) => ({ path: { extension_id } }),
    returnsBoolean: true,
  },
};

const browserExtensions: Lifecycle = {
  ...extensions,
  about: {
    id: 'resources/extension-old-paths',
    title: 'The deprecated operations upload and list extensions, and the old path deletes them',
    covers: ['VERSION-04'],
  },
  create: { ...extensions.create, operation: 'uploadBrowserExtension', requirement: 'BROWSER-05' },
  list: { operation: 'listBrowserExtensions', requirement: 'BROWSER-06', isList: ({ r }) => isRecord(r) },
  remove: {
    ...extensions.remove,
    operation: 'deleteBrowserExtension',
    cleanup: 'deleteExtension',
    requirements: ['EXT-04', 'BROWSER-06'],
  },
};

export const files: Lifecycle = {
  what: 'file',
  about: {
    id: 'resources/file',
    title: 'A file is uploaded, gets an id of its own, is deleted and gone, and another one stays',
  },
  ids: ['id'],
  create: {
    operation: 'uploadFile',
    requirement: 'FILE-01',
    isDescribed: true,
    requests: (name) => [{ form: messageForm([], ['file'], { filename: `${name}.txt` }) }],
    isRecord: ({ r }) => typeof field(r, 'id') === 'string',
  },
  remove: {
    operation: 'deleteFile',
    requirements: ['FILE-02'],
    request: (file_id) => ({ path: { file_id } }),
    returnsBoolean: true,
  },
};

export const automations: Lifecycle = {
  what: 'automation',
  about: {
    id: 'resources/automation',
    title: 'An automation is made, listed, deleted and gone, and another one stays',
  },
  inWorkspace: true,
  ids: ['id', 'automation_id', 'automationId', 'uuid', 'key'],
  create: {
    operation: 'createAutomation',
    requirement: 'AUTO-02',
    requests: (name) => {
      const task = `Open https://example.com and tell me its title (${name}).`;
      const bodies = bodiesUnder([name, ['name', 'title']], [task, ['task', 'prompt', 'description']]);
      const triggers = ['webhook', { type: 'webhook' }].map((trigger) => ({ name, task, trigger }));
      return [...bodies, ...triggers].map((body) => ({ body }));
    },
    isRecord: ({ r }) => asFields(r) !== undefined,
  },
  list: { operation: 'listAutomations', requirement: 'AUTO-01', isList: ({ r }) => Array.isArray(r) },
  remove: {
    operation: 'deleteAutomation',
    requirements: ['AUTO-03'],
    request: (id) => ({ query: { id } }),
  },
};

export const sops: Lifecycle = {
  what: 'SOP',
  about: {
    id: 'resources/sop',
    title: 'A SOP is made, listed, changed in its place, deleted and gone, and another one stays',
  },
  inWorkspace: true,
  // Which field holds `t` is open (`sop.t`), but one that is called so is taken at its word.
  ids: ['t', 'timestamp', 'created_at', 'createdAt', 'created', 'time', 'id'],
  hasIntegerId: true,
  create: {
    operation: 'saveSop',
    requirement: 'SOP-02',
    defaults: { t: 0 },
    requests: (title) => bodiesOfSop(title).map((body) => ({ body })),
  },
  list: { operation: 'listSops', requirement: 'SOP-01', isFirst: true },
  isAbout: (payload, { words }) => words.some((word) => mentions(payload, word)),
  async change(t, one, other, listed) {
    const [old] = one.words;
    const word = t.unique();
    const place = inWorkspace(one.workspace!);
    const sending = { ...place, query: { t: one.id } };
    const changed = await tryBodies(t, 'saveSop', sending, bodiesOfSop(word));
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
  remove: {
    operation: 'deleteSop',
    requirements: ['SOP-03'],
    request: (t) => ({ query: { t } }),
    isCertain: isCalledT,
  },
};

function isCalledT({ record, id }: { record: unknown; id: string }): boolean {
  return String(field(record, 't')) === id;
}

function bodiesOfSop(title: string): Record<string, string>[] {
  const content = `First open the page. Then read it (${title}).`;
  const names = ['content', 'description', 'text', 'body', 'instructions'];
  return bodiesUnder([title, ['title', 'name']], [content, names]);
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
