import { field } from '../../../conversation/json.js';
import { mustSucceed } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { textFor } from '../../test-case/texts.js';
import { make } from './lifecycle.js';
import { files, profiles } from './lifecycles.js';

const named: TestCase = {
  id: 'resources/named-in-a-task',
  title: 'A task may name a file that was uploaded and a profile that was made',
  covers: ['TASK-11'],
  operations: ['uploadFile', 'createProfile', 'createTask', 'deleteTask'],
  tasks: 2,
  async run(t: TestContext) {
    const file = await make(t, files);
    await isTaken(t, { files: [file.id] }, 'a file that was uploaded');
    const profile = await make(t, profiles);
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

export const referenceCases: readonly TestCase[] = [named];
