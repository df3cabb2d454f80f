import { field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { summarize } from '../test-case/read-task.js';
import { mustSucceed, readUntil, removeLater } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { creditsIn } from './account/billing.js';

const premium: TestCase = {
  id: 'errors/premium-feature',
  title: 'What another plan is given is refused to the free plan with 403',
  covers: ['ERROR-04'],
  operations: ['getUsage', 'createProfile', 'openBrowserSession'],
  keys: ['free'],
  tasks: 2,
  async run(t: TestContext) {
    const usage = await t.send('getUsage', { key: 'free' });
    if (!usage.ok)
      t.inconclusive(`the key "free" is not good for anything: GET /usage gave ${summarize(usage)}`);
    const features = [
      () => ['createProfile', { body: { id: t.unique() } }] as const,
      () => ['openBrowserSession', { body: {} }] as const,
    ];
    for (const feature of features) {
      const [operation, sending] = feature();
      const paid = await t.send(operation, sending);
      removeMade(t, operation, sending.body, paid, 'main');
      const free = await t.send(operation, { ...feature()[1], key: 'free' });
      removeMade(t, operation, sending.body, free, 'free');
      if (!paid.ok || free.ok || free.status === 429) continue;
      t.expect(
        'ERROR-04',
        free.status === 403 && typeof field(free.body, 'detail') === 'string',
        `${operation} on the free plan, while another plan is given it: expected 403 with a text in detail, got ${summarize(free)}`,
        paid,
        free,
      );
      return;
    }
    t.inconclusive('making profiles and opening browsers is free: which features need a paid plan is open');
  },
};

function removeMade(
  t: TestContext,
  operation: string,
  body: object,
  response: ApiResponse,
  key: 'main' | 'free',
): void {
  if (!response.ok) return;
  const id = field(body, 'id');
  if (operation === 'createProfile' && typeof id === 'string')
    removeLater(t, `profile ${id}`, 'deleteProfile', { path: { profile_id: id }, key });
  const live = field(response.r, 'live_id') ?? field(response.r, 'session_id') ?? field(response.r, 'id');
  if (operation === 'openBrowserSession' && typeof live === 'string')
    removeLater(t, `browser ${live}`, 'closeBrowserSession', { path: { session_id: live }, key });
}

const exhausted: TestCase = {
  id: 'errors/no-credits',
  title: 'A task of an organisation without credits is refused with 429',
  covers: ['ERROR-06'],
  operations: ['getUsage', 'createTask', 'deleteTask'],
  keys: ['exhausted'],
  tasks: 2,
  async run(t: TestContext) {
    const usage = await t.send('getUsage', { key: 'exhausted' });
    if (!usage.ok)
      t.inconclusive(`the key "exhausted" is not good for anything: GET /usage gave ${summarize(usage)}`);
    const credits = creditsIn(usage);
    if (credits !== undefined && credits > 0)
      t.inconclusive(`the key "exhausted" has ${credits} credits left`);
    const body = { task: 'Open https://example.com and tell me the title of the page.' };
    const task = await t.createTask(body);
    const refused = await t.send('createTask', { body, key: 'exhausted', take429: true });
    const id = field(refused.r, 'id');
    if (refused.ok && typeof id === 'string')
      removeLater(t, `task ${id}`, 'deleteTask', { path: { task_id: id }, key: 'exhausted' });
    t.expect(
      'ERROR-06',
      refused.status === 429 && typeof field(refused.body, 'detail') === 'string',
      `POST /task without credits, while it is taken with credits: expected 429 with a text in detail, got ${summarize(refused)}`,
      usage,
      task.created,
      refused,
    );
    await t.cancel(task);
  },
};

/** Requests sent at a time to meet the limit, if there is one within reach. */
const BURST = 40;

const rate: TestCase = {
  id: 'errors/rate-limit',
  title: 'Requests beyond the rate limit are refused with 429 and taken again later',
  covers: ['ERROR-05'],
  operations: ['getUsage'],
  async run(t: TestContext) {
    const ask = () => t.send('getUsage', { take429: true });
    // Others may have met the limit just before.
    const calm = () =>
      readUntil(
        t,
        () => t.send('getUsage'),
        ({ ok }) => ok,
      );
    const first = await calm();
    mustSucceed(t, 'ORG-04', first, 'GET /usage');
    const responses = await Promise.all(Array.from({ length: BURST }, ask));
    const refused = responses.find(
      ({ status, headers }) =>
        (status >= 400 && status < 500) || (status === 503 && 'retry-after' in headers),
    );
    if (!refused) t.inconclusive(`no limit was met within ${BURST} requests at a time: the figures are open`);
    const again = await calm();
    if (!again.ok)
      t.inconclusive(`the target does not recover from ${BURST} requests at a time: ${summarize(again)}`);
    t.expect(
      'ERROR-05',
      refused.status === 429 && typeof field(refused.body, 'detail') === 'string',
      `GET /usage ${BURST} times at once, which alone is answered with ${first.status}: expected 429 with a text in detail where it is too much, got ${summarize(refused)}`,
      first,
      refused,
      again,
    );
  },
};

export const errorCases: readonly TestCase[] = [premium, exhausted, rate];
