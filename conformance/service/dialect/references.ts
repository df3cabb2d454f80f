import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { observe, textIn } from './observe.js';
import { removeTask } from './task.js';

/** `file.unknown-in-task`, `extension.unknown-in-task`. */
export const references: TestCase = {
  id: 'errors/point-references',
  title: 'What becomes of a task that names a file or an extension that there is not',
  covers: ['TASK-14'],
  operations: ['createTask', 'deleteTask'],
  tasks: 3,
  async run(t) {
    const plain = await create(t, {});
    if (textIn(plain, 'id') === undefined) t.inconclusive(`POST /task is answered with ${summarize(plain)}`);
    t.expect('TASK-14', true, '', plain);
    for (const [field, point] of [
      ['files', 'file.unknown-in-task'],
      ['extensions', 'extension.unknown-in-task'],
    ] as const) {
      const answer = await create(t, { [field]: [t.unique()] });
      if (answer.status === 404) observe(t, point, '404', plain, answer);
      if (answer.ok) observe(t, point, 'ignored', answer);
    }
  },
};

async function create(t: TestContext, more: object) {
  const answer = await t.send('createTask', { body: { task: null, ...more } });
  if (answer.ok) removeTask(t, answer);
  return answer;
}
