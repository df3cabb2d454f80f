import { strToU8, zipSync } from 'fflate';
import type { OperationId } from '../../../../spec/generated/operations.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { idIn, memberWith, mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import {
  eventually,
  firstTaken,
  isGone,
  mustFollow,
  mustSucceed,
  removeLater,
  shouldSucceed,
  stillThere,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { isRecord, served } from './profiles.js';

/** What the part with the archive may be called: the description does not say (open point `upload.part-names`). */
const PARTS = ['file', 'extension', 'archive', 'zip', 'upload'];
const ID_FIELDS = ['id', 'extension_id', 'extensionId', 'uuid', 'key'];

interface MadeExtension {
  /** Name of the file without its ending: no other extension has it. */
  name: string;
  /** Undefined where the response shows none. */
  id: string | undefined;
  uploaded: ApiResponse;
  gone: () => void;
}

/** Uploads the smallest extension that can be. */
export async function uploadExtension(
  t: TestContext,
  operation: OperationId = 'uploadExtension',
  key: 'main' | 'other' = 'main',
): Promise<MadeExtension> {
  const name = t.unique();
  const manifest = { manifest_version: 3, name, version: '1.0' };
  const zip = zipSync({ 'manifest.json': strToU8(JSON.stringify(manifest)) });
  const uploaded = await firstTaken(
    PARTS.map((part) => () => {
      const form = new FormData();
      form.set(part, new Blob([zip as Uint8Array<ArrayBuffer>], { type: 'application/zip' }), `${name}.zip`);
      return t.send(operation, { form, key });
    }),
  );
  // It may have to be an archive of another kind.
  if (uploaded.status === 415) t.inconclusive(`an extension in a ZIP is not taken: ${summarize(uploaded)}`);
  const requirement = operation === 'uploadExtension' ? 'EXT-01' : 'BROWSER-05';
  if (operation === 'uploadBrowserExtension') served(t, uploaded, 'POST /browser/extension');
  shouldSucceed(t, requirement, uploaded, `the upload of an extension (parts tried: ${PARTS.join(', ')})`);
  const id = idIn(uploaded.r, ID_FIELDS);
  const path = { extension_id: id ?? '' };
  const gone =
    id === undefined ? () => {} : removeLater(t, `extension ${id}`, 'deleteExtension', { path, key });
  return { name, id, uploaded, gone };
}

/** The id, from the response to the upload or from the list; removed at the end of the run. */
async function identify(
  t: TestContext,
  made: MadeExtension,
  listed: ApiResponse,
): Promise<{ id: string; gone: () => void }> {
  if (made.id !== undefined) return { id: made.id, gone: made.gone };
  const id = idIn(memberWith(payloadOf(listed), made.name), ID_FIELDS);
  if (id === undefined) {
    t.inconclusive(
      `no id of the extension "${made.name}.zip" in ${summarize(made.uploaded)} nor in the list (looked for ${ID_FIELDS.join(', ')})`,
    );
  }
  return { id, gone: removeLater(t, `extension ${id}`, 'deleteExtension', { path: { extension_id: id } }) };
}

/** One life of an extension: `upload`, `list`, `remove` are three of the six operations there are. */
async function life(
  t: TestContext,
  operations: { upload: OperationId; list: OperationId; remove: OperationId },
  requirements: {
    upload: 'EXT-01' | 'BROWSER-05';
    list: 'EXT-02' | 'BROWSER-06';
    remove: 'EXT-03' | 'EXT-04';
  },
): Promise<ApiResponse[]> {
  const list = () => t.send(operations.list);
  const before = await list();
  mustSucceed(t, requirements.list, before, 'the list of extensions');
  const made = await uploadExtension(t, operations.upload);
  if (!isRecord(made.uploaded.r) && typeof made.uploaded.r !== 'string') {
    const message = `the upload of an extension: expected its record in r, got ${summarize(made.uploaded)}`;
    t.fail(requirements.upload, message, made.uploaded);
  }
  const shows = (response: ApiResponse) =>
    [made.name, made.id].some((token) => token !== undefined && mentions(payloadOf(response), token));
  const listed = await eventually(t, list, shows);
  const { id, gone } = await identify(t, made, listed);
  const isList = operations.list === 'listExtensions' ? Array.isArray(listed.r) : isRecord(listed.r);
  const isShown = t.expect(
    requirements.list,
    listed.ok && isList && shows(listed) && !shows(before),
    `the list of extensions: expected ${operations.list === 'listExtensions' ? 'an array' : 'a record'} with "${id}", which was just uploaded, got ${summarize(listed)}`,
    before,
    listed,
  );
  if (isShown) t.expect(requirements.upload, true, '', made.uploaded, listed);
  const remove = (extension_id: string) => t.send(operations.remove, { path: { extension_id } });
  const never = await remove(unlike(id));
  const deleted = await remove(id);
  mustFollow(t, requirements.remove, deleted, `DELETE of the extension "${id}"`);
  t.expect(
    requirements.remove,
    typeof deleted.r === 'boolean',
    `DELETE of an extension: expected r to be true or false, got ${summarize(deleted)}`,
    deleted,
  );
  const after = await eventually(t, list, (response) => !shows(response));
  if (!shows(after)) gone();
  if (shows(listed)) {
    const message = `the list of extensions after "${id}" was deleted: expected it to be gone, got ${summarize(after)}`;
    t.expect(requirements.list, after.ok && !shows(after), message, deleted, after);
    if (shows(after)) t.fail(requirements.remove, message, deleted, after);
  }
  const again = await remove(id);
  if (isGone(never, deleted, again) === false)
    t.fail(requirements.remove, stillThere('DELETE of an extension', never, again), never, deleted, again);
  return [listed, made.uploaded];
}

const extension: TestCase = {
  id: 'resources/extension',
  title: 'An extension is uploaded, listed, deleted and gone',
  covers: ['EXT-01', 'EXT-02', 'EXT-03'],
  operations: ['uploadExtension', 'listExtensions', 'deleteExtension'],
  async run(t: TestContext) {
    await life(
      t,
      { upload: 'uploadExtension', list: 'listExtensions', remove: 'deleteExtension' },
      { upload: 'EXT-01', list: 'EXT-02', remove: 'EXT-03' },
    );
  },
};

const oldPaths: TestCase = {
  id: 'resources/extension-old-paths',
  title: 'The deprecated operations upload and list extensions, and the old path deletes them',
  covers: ['BROWSER-05', 'BROWSER-06', 'EXT-04', 'VERSION-04'],
  operations: [
    'uploadBrowserExtension',
    'listBrowserExtensions',
    'deleteBrowserExtension',
    'deleteExtension',
  ],
  async run(t: TestContext) {
    served(t, await t.send('listBrowserExtensions'), 'GET /browser/extension');
    const shown = await life(
      t,
      { upload: 'uploadBrowserExtension', list: 'listBrowserExtensions', remove: 'deleteBrowserExtension' },
      { upload: 'BROWSER-05', list: 'BROWSER-06', remove: 'EXT-04' },
    );
    t.expect('VERSION-04', true, '', ...shown);
  },
};

export const extensionCases: readonly TestCase[] = [extension, oldPaths];
