import { expectTask } from '../test-case/task-steps.js';
import type { TestCase } from '../test-case/test-case.js';
import { textFor, toolFor } from '../test-case/texts.js';
import { make } from './resources/lifecycle.js';
import { files, profiles } from './resources/lifecycles.js';

const fields: TestCase = {
  id: 'status-codes/optional-fields',
  title: 'Each field of a task request beside its text may be there or be left out',
  covers: ['TASK-10', 'TASK-11', 'TASK-14'],
  operations: ['createTask', 'deleteTask'],
  tasks: 6,
  async run(t) {
    const { settings } = t;
    const bare = { task: textFor(settings, 'long') };
    const plain = await expectTask(t, bare, 'TASK-10');
    await t.cancel(plain);
    const more: Record<string, unknown>[] = [
      { task: null, url: textFor(settings, 'page') },
      { device: 'desktop' },
      { custom_tools: [toolFor(settings, 'get_weather')] },
      { response_model: { type: 'object', properties: { title: { type: 'string' } } } },
      { files: [], custom_tools: [] },
    ];
    for (const given of more) await t.cancel(await expectTask(t, { ...bare, ...given }, 'TASK-11'));
  },
};

const named: TestCase = {
  id: 'resources/named-in-a-task',
  title: 'A task may name a file that was uploaded and a profile that was made',
  covers: ['TASK-11'],
  operations: ['uploadFile', 'createProfile', 'createTask', 'deleteTask'],
  tasks: 2,
  async run(t) {
    const task = textFor(t.settings, 'one-shot');
    const { id: file } = await make(t, files);
    await t.cancel(await expectTask(t, { task, files: [file] }, 'TASK-11'));
    const { id: profile_id } = await make(t, profiles);
    await t.cancel(await expectTask(t, { task, profile_id }, 'TASK-11'));
  },
};

export const requestCases: readonly TestCase[] = [fields, named];
