import { summarize } from '../../test-case/read-task.js';
import { openSession } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';

const unknown: TestCase = {
  id: 'polling/unknown-task',
  title: 'Whatever names a task that there is not is answered with 404',
  covers: ['POLL-07', 'ERROR-03', 'ENV-02'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const event = {
      name: 'browser_action',
      payload: { name: 'evaluate_js', input: { js: 'return 1' } },
      timestamp: Math.floor(t.now()),
    };
    const path = { task_id: nobodys(session.id) };
    const real = { task_id: session.id };
    const asks = [
      ['POLL-07', 'getTask', undefined],
      ['ERROR-03', 'sendTaskEvent', event],
      ['ERROR-03', 'deleteTask', undefined],
    ] as const;
    for (const [requirement, operation, body] of asks) {
      const sending = () => (body ? { body: { ...body, id: t.unique() } } : {});
      // The right id comes first: what is refused to everybody tells nothing.
      const twin = await t.send(operation, { path: real, ...sending() });
      if (!twin.ok) continue;
      const response = await t.send(operation, { path, ...sending() });
      const message = `${operation} of a task: expected 404 for the id ${path.task_id}, which no task has, as ${real.task_id} is answered with ${twin.status}; got ${summarize(response)}`;
      t.expect(requirement, response.status === 404, message, twin, response);
    }
  },
};

/** An id of the same form that no task has. Short ones may be counted up, so that the next is somebody's. */
export function nobodys(id: string): string {
  const tail = /[0-9a-f]{8,}$/i.exec(id)?.[0];
  if (tail === undefined || /^\d+$/.test(tail)) return `${id}999983`;
  const digits = '0123456789abcdef';
  const other = [...tail.slice(-6)].map((digit) => {
    return digits[(digits.indexOf(digit.toLowerCase()) + 5) % digits.length];
  });
  return id.slice(0, -6) + other.join('');
}

export const unknownCases: readonly TestCase[] = [unknown];
