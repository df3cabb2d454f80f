import { field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { textFor } from '../test-case/texts.js';
import { observe, observeStatus } from './observe.js';
import { removeTask } from './task.js';

/** Requests that are invalid whatever else a service may choose. */
const INVALID_TASKS = [{ task: 5 }, { task: null, custom_tools: [{ name: 'incomplete' }] }];

/** `errors.invalid-parameters`, `errors.validation-detail`, `task.url-form`. */
export const validation: TestCase = {
  id: 'errors/point-validation',
  title: 'What answers a parameter out of bounds, and what a validation error says',
  covers: ['LIMIT-02', 'ERROR-02'],
  operations: ['listTasks', 'createTask', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const least = await t.send('listTasks', { query: { l: 1 } });
    if (!least.ok) t.inconclusive(`GET /task?l=1 is answered with ${least.status}`);
    const below = await t.send('listTasks', { query: { l: 0 } });
    observeStatus(t, 'errors.invalid-parameters', below);
    if (below.status === 400 || below.status === 422 || below.ok) {
      const message = `GET /task?l=0: expected 422 (or 400), got ${below.status}`;
      t.expect('LIMIT-02', !below.ok, message, least, below);
    }
    await observeUrl(t);
    const refusal = below.status === 422 ? below : await refusedTask(t);
    if (refusal) readDetail(t, refusal);
  },
};

/** `task.url-form`: a URL is accepted where another text is refused. */
async function observeUrl(t: TestContext): Promise<void> {
  const create = (url: string) => t.send('createTask', { body: { task: null, url } });
  const text = await create('not a url');
  if (removeTask(t, text) !== undefined) return observe(t, 'task.url-form', 'any-text', text);
  if (text.status !== 400 && text.status !== 422) return;
  const address = await create(textFor(t.settings, 'page'));
  if (removeTask(t, address) !== undefined) observe(t, 'task.url-form', 'absolute', text, address);
}

async function refusedTask(t: TestContext): Promise<ApiResponse | undefined> {
  for (const body of INVALID_TASKS) {
    const answer = await t.send('createTask', { body });
    if (answer.status === 422) return answer;
    removeTask(t, answer);
  }
  return undefined;
}

function readDetail(t: TestContext, answer: ApiResponse): void {
  const detail = field(answer.body, 'detail');
  const present = detail !== undefined && detail !== null;
  t.expect('ERROR-02', present, 'a 422: expected a body with detail, found none', answer);
  if (typeof detail === 'string') observe(t, 'errors.validation-detail', 'string', answer);
  if (!Array.isArray(detail) || detail.length === 0) return;
  const isList = detail.every((each) => typeof field(each, 'msg') === 'string');
  if (isList) observe(t, 'errors.validation-detail', 'list', answer);
}
