import { field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { textFor } from '../test-case/texts.js';
import { observeResponse, observeStatus, sendSession } from './observe.js';

/** Requests that are invalid whatever else a service may choose. */
const INVALID_TASKS = [{ task: 5 }, { custom_tools: [{ name: 'incomplete' }] }];

/** `errors.invalid-parameters`, `errors.validation-detail`, `task.url-form`. */
export const validation: TestCase = {
  id: 'errors/point-validation',
  title: 'What answers a parameter out of bounds, and what a validation error says',
  covers: ['LIMIT-02', 'ERROR-02'],
  operations: ['listTasks', 'createTask', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const least = await t.send('listTasks', { query: { l: 1 } });
    if (!least.ok) t.inconclusive(`GET /task?l=1: expected a list, got ${least.status}`);
    const below = await t.send('listTasks', { query: { l: 0 } });
    observeStatus(t, 'errors.invalid-parameters', below);
    const message = `GET /task?l=0: expected 422 (or 400), got ${below.status}`;
    if (below.status === 400 || below.status === 422 || below.ok)
      t.expect('LIMIT-02', !below.ok, message, least, below);
    await observeUrl(t);
    const refusal = below.status === 422 ? below : await refusedTask(t);
    if (refusal) observeDetail(t, refusal);
  },
};

/** `task.url-form`: a URL is accepted where another text is refused. */
async function observeUrl(t: TestContext): Promise<void> {
  const text = await sendSession(t, { url: 'not a url' });
  if (text.task_id !== undefined) return t.observe('task.url-form', 'any-text');
  if (text.response.status !== 400 && text.response.status !== 422) return;
  const url = await sendSession(t, { url: textFor(t.settings, 'page') });
  if (url.task_id !== undefined) t.observe('task.url-form', 'absolute');
}

async function refusedTask(t: TestContext): Promise<ApiResponse | undefined> {
  for (const body of INVALID_TASKS) {
    const { response } = await sendSession(t, body);
    if (response.status === 422) return response;
  }
  return undefined;
}

function observeDetail(t: TestContext, response: ApiResponse): void {
  const detail = field(response.body, 'detail');
  const isThere = detail !== undefined && detail !== null;
  t.expect('ERROR-02', isThere, 'a 422: expected a body with detail, found none', response);
  const isList = Array.isArray(detail) && detail.length > 0;
  if (typeof detail === 'string') t.observe('errors.validation-detail', 'string');
  else if (isList && detail.every((each) => typeof field(each, 'msg') === 'string'))
    t.observe('errors.validation-detail', 'list');
}

/** `file.unknown-in-task`, `extension.unknown-in-task`. */
export const references: TestCase = {
  id: 'errors/point-references',
  title: 'What becomes of a task that names a file or an extension that there is not',
  covers: ['TASK-14'],
  operations: ['createTask', 'deleteTask'],
  tasks: 3,
  async run(t) {
    const { response: plain, task_id } = await sendSession(t);
    if (task_id === undefined) t.inconclusive(`POST /task: expected a task, got ${summarize(plain)}`);
    t.expect('TASK-14', true, '', plain);
    for (const [point, names] of [
      ['file.unknown-in-task', 'files'],
      ['extension.unknown-in-task', 'extensions'],
    ] as const) {
      const { response } = await sendSession(t, { [names]: [t.unique()] });
      observeResponse(t, point, response, { ok: 'ignored', 404: '404' });
    }
  },
};
