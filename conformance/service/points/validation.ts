import { field } from '../../rules/body.js';
import type { Probe, Probing } from '../probe.js';
import type { Answer } from '../talk.js';
import { observe, observeStatus } from './observe.js';
import { removeTask } from './task.js';

/** Requests that are invalid whatever else a service may choose. */
const INVALID_TASKS = [{ task: 5 }, { task: null, custom_tools: [{ name: 'incomplete' }] }];

/** `errors.invalid-parameters`, `errors.validation-detail`. */
export const validation: Probe = {
  id: 'errors/point-validation',
  title: 'What answers a parameter out of bounds, and what a validation error says',
  covers: ['LIMIT-02', 'ERROR-02'],
  operations: ['listTasks', 'createTask'],
  async run(t) {
    const least = await t.send('listTasks', { query: { l: 1 } });
    if (!least.ok) t.inconclusive(`GET /task?l=1 is answered with ${least.status}`);
    const below = await t.send('listTasks', { query: { l: 0 } });
    observeStatus(t, 'errors.invalid-parameters', below);
    if (below.status === 400 || below.status === 422 || below.ok) {
      const message = `GET /task?l=0: expected 422 (or 400), got ${below.status}`;
      t.expect('LIMIT-02', !below.ok, message, least, below);
    }
    const refusal = below.status === 422 ? below : await refusedTask(t);
    if (refusal) readDetail(t, refusal);
  },
};

async function refusedTask(t: Probing): Promise<Answer | undefined> {
  for (const body of INVALID_TASKS) {
    const answer = await t.send('createTask', { body });
    if (answer.status === 422) return answer;
    removeTask(t, answer);
  }
  return undefined;
}

function readDetail(t: Probing, answer: Answer): void {
  const detail = field(answer.body, 'detail');
  const present = detail !== undefined && detail !== null;
  t.expect('ERROR-02', present, 'a 422: expected a body with detail, found none', answer);
  if (typeof detail === 'string') observe(t, 'errors.validation-detail', 'string', answer);
  if (!Array.isArray(detail) || detail.length === 0) return;
  const isList = detail.every((each) => typeof field(each, 'msg') === 'string');
  if (isList) observe(t, 'errors.validation-detail', 'list', answer);
}
