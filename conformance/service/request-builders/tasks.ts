import type { Sending } from '../http-client/response.js';
import { always, naming, plain, type Sampler } from './builder.js';
import { toolCall } from './calls.js';
import { findId } from './read.js';
import { endedSession, removeTask, session } from './things.js';

const SESSION = { uses: ['createTask', 'deleteTask'], tasks: 1 } satisfies Partial<Sampler>;

function onSession(more: Sending = {}): Sampler['make'] {
  return naming(session, (task_id) => ({ path: { task_id }, ...more }));
}

export const taskSamplers = {
  listTasks: plain,
  createTask: {
    uses: ['deleteTask'],
    tasksEach: 1,
    make: always({ body: { task: null } }),
    undo(kit, answer) {
      const id = findId(answer.body, 'id');
      if (id !== undefined) removeTask(kit, id);
    },
  },
  getTask: { ...SESSION, make: onSession() },
  updateTask: {
    uses: [...SESSION.uses, 'getTask'],
    tasks: 1,
    // A second reply to a call may be refused (open point `event.reply-repeated`).
    consumes: true,
    open: 'lookup',
    make: naming(toolCall, ({ task, id }) => ({
      path: { task_id: task },
      body: { tool_response: { id, code: 200, output: '"a word"' } },
    })),
  },
  deleteTask: { ...SESSION, consumes: true, make: onSession() },
  getTaskVisibility: { ...SESSION, make: onSession() },
  setTaskVisibility: { ...SESSION, make: onSession({ query: { visibility: false } }) },
  deleteTaskData: {
    uses: [...SESSION.uses, 'getTask'],
    tasks: 1,
    consumes: true,
    // Some may want a task that was not stopped.
    open: 'fields',
    make: naming(endedSession, (task_id) => ({ path: { task_id } })),
  },
  sendTaskEvent: {
    ...SESSION,
    make: async (kit) => {
      const task_id = await session(kit);
      return () => ({
        path: { task_id },
        body: {
          name: 'browser_action',
          payload: { name: 'evaluate_js', input: { js: '1 + 1' } },
          id: kit.probing.unique(),
          timestamp: Math.floor(kit.probing.now()),
        },
      });
    },
  },
} satisfies Record<string, Sampler>;
