import { field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { summarize } from '../../test-case/read-task.js';
import { isGone, mustFollow, mustSucceed, removeLater, stillThere } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { textFor } from '../../test-case/texts.js';
import { makeProfile } from './profiles.js';

export interface MadeFile {
  id: string;
  uploaded: ApiResponse;
  gone: () => void;
}

/** A small text file, removed at the end of the run. */
export async function uploadFile(t: TestContext, key: 'main' | 'other' = 'main'): Promise<MadeFile> {
  const name = t.unique();
  const form = new FormData();
  form.set('file', new Blob([`This is ${name}.\n`], { type: 'text/plain' }), `${name}.txt`);
  const uploaded = await t.send('uploadFile', { form, key });
  mustSucceed(t, 'FILE-01', uploaded, 'POST /file with a part "file"');
  const id = (uploaded.r as { id?: unknown } | null | undefined)?.id;
  if (typeof id !== 'string' || id === '') {
    t.fail('FILE-01', `POST /file: expected r with a string "id", got ${summarize(uploaded)}`, uploaded);
    t.inconclusive('POST /file gave no id to go on with');
  }
  return { id, uploaded, gone: removeLater(t, `file ${id}`, 'deleteFile', { path: { file_id: id }, key }) };
}

const file: TestCase = {
  id: 'resources/file',
  title: 'A file is uploaded, gets an id of its own, is deleted and gone, and another one stays',
  covers: ['FILE-01', 'FILE-02'],
  operations: ['uploadFile', 'deleteFile'],
  async run(t: TestContext) {
    const one = await uploadFile(t);
    const other = await uploadFile(t);
    t.expect(
      'FILE-01',
      one.id !== other.id,
      `POST /file: expected two files to get ids of their own, got "${one.id}" twice`,
      one.uploaded,
      other.uploaded,
    );
    const remove = (file_id: string) => t.send('deleteFile', { path: { file_id } });
    const never = await remove(unlike(one.id));
    const deleted = await remove(one.id);
    mustFollow(t, 'FILE-02', deleted, `DELETE of the file "${one.id}"`);
    t.expect(
      'FILE-02',
      typeof deleted.r === 'boolean',
      `DELETE /file/{file_id}: expected r to be true or false, got ${summarize(deleted)}`,
      deleted,
    );
    const again = await remove(one.id);
    const gone = isGone(never, deleted, again);
    if (gone) one.gone();
    if (gone === false)
      t.fail('FILE-02', stillThere('DELETE /file/{file_id}', never, again), never, deleted, again);
    const last = await remove(other.id);
    if (last.ok) other.gone();
    t.expect(
      'FILE-02',
      last.ok && typeof last.r === 'boolean',
      `DELETE of the file "${other.id}", which was still there: expected r to be true or false, got ${summarize(last)}`,
      deleted,
      last,
    );
  },
};

const named: TestCase = {
  id: 'resources/named-in-a-task',
  title: 'A task may name a file that was uploaded and a profile that was made',
  covers: ['TASK-11'],
  operations: ['uploadFile', 'createProfile', 'createTask', 'deleteTask'],
  tasks: 2,
  async run(t: TestContext) {
    const file = await uploadFile(t);
    await isTaken(t, { files: [file.id] }, 'a file that was uploaded');
    const profile = await makeProfile(t);
    await isTaken(t, { profile_id: profile.id }, 'a profile that was made');
  },
};

async function isTaken(t: TestContext, names: object, what: string): Promise<void> {
  const created = await t.send('createTask', { body: { task: textFor(t.settings, 'one-shot'), ...names } });
  const id = field(created.r, 'id');
  if (created.ok && typeof id === 'string') await t.cancel(t.adoptTask(created, id));
  mustSucceed(t, 'TASK-11', created, `POST /task with ${what}`);
  t.expect('TASK-11', true, '', created);
}

export const fileCases: readonly TestCase[] = [file, named];
