import { describe, expect, it } from 'vitest';
import { operations } from '../../../spec/generated/operations.js';
import { createEmptySuccess, runAgainstMock, selectCases } from '../../../test/support/cases/target.js';
import { resourceCases } from '../all-cases.js';

/** The limits are open, and the mock has none by default. */
const NO_LIMIT = 'errors/rate-limit#ERROR-05';

describe('the cases of resources', () => {
  it('have unique ids, requirements, and list their operations', () => {
    const checks = resourceCases.flatMap(({ id, covers }) => covers.map((each) => `${id}#${each}`));
    expect(new Set(checks).size).toBe(checks.length);
    for (const { operations: called } of resourceCases) expect(called.length).toBeGreaterThan(0);
  });

  it('pass on the mock and leave nothing behind', async () => {
    const { ids, left, faults, exchanges, mock } = await runAgainstMock();
    expect({ ...ids, passed: [] }).toEqual({
      passed: [],
      flaky: [],
      failed: [],
      error: [],
      inconclusive: [NO_LIMIT],
      skipped: [],
    });
    expect([left, faults]).toEqual([[], []]);
    for (const name of ['main', 'other', 'free']) {
      const ask = async (path: string, headers: Record<string, string> = {}) => {
        const init = { headers: { apikey: `${name}-key`, ...headers } };
        return (await mock.fetch(`http://mock.test/api/v1${path}`, init)).json();
      };
      for (const path of ['/profile', '/extension']) expect(await ask(path)).toEqual({ r: [] });
      const tasks: { status: string }[] = (await ask('/task?l=128')).r;
      expect(tasks.filter(({ status }) => status === 'running' || status === 'waiting')).toEqual([]);
      const made = exchanges.filter(
        (each) => each.operation === 'createWorkspace' && each.organisation === name,
      );
      for (const { response } of made) {
        const headers = { 'workspace-id': JSON.parse(response!.body).id as string };
        expect(await ask('/chat', headers)).toEqual({ chats: [] });
        expect(await ask('/sop', headers)).toEqual({ sops: [] });
        expect(await ask('/automation', headers)).toEqual({ r: [] });
      }
    }
  });

  it('are inconclusive about proxies where there are none', async () => {
    const cases = selectCases('resources/proxy-renewal');
    const { ids, checks } = await runAgainstMock({ fixtures: {}, cases });
    expect(ids.inconclusive).toContain('resources/proxy-renewal#PROXY-02');
    expect([ids.failed, ids.error]).toEqual([[], []]);
    const renewal = checks.find(({ id }) => id === 'resources/proxy-renewal#PROXY-02');
    expect(renewal?.message).toContain('no proxy with an id and auto_renew is assigned');
  });

  it('do not report a chat as missing that another case removes between two lists', async () => {
    let extra: { t: number; init: RequestInit } | undefined;
    let removed = 0;
    const { ids } = await runAgainstMock({
      cases: selectCases('resources/chat'),
      async bend({ operation, url, init }, pass) {
        const list = operation === 'listChats' ? new URL(url) : undefined;
        const send = (method: string, path: string, body?: string) => {
          const headers = { ...(init.headers as Record<string, string>), 'content-type': 'application/json' };
          return pass(new URL(`/api/v1${path}`, url).href, { method, headers, ...(body ? { body } : {}) });
        };
        if (list && list.search === '' && 'apikey' in (init.headers as object) && !extra) {
          const { t } = await (await send('POST', '/task/zero', '{"task":"of another case"}')).json();
          extra = { t, init };
        } else if (list?.searchParams.get('limit') === '256' && extra) {
          removed += Number((await send('DELETE', `/chat/id?t=${extra.t}`)).ok);
        }
        return pass(url, init);
      },
    });
    expect(removed).toBe(1);
    expect([ids.failed, ids.error]).toEqual([[], []]);
    expect(ids.passed).toContain('resources/chat#LIMIT-03');
  });

  it('restore what they change', async () => {
    const { exchanges } = await runAgainstMock({ keys: {} });
    const answersOf = (operation: string) =>
      exchanges
        .filter((each) => each.operation === operation && each.organisation === 'main')
        .map(({ response }) => JSON.parse(response!.body).r);
    for (const operation of ['getOrganisation', 'getAutoTopUp', 'listProxies']) {
      const records = answersOf(operation);
      expect(new Set(records.map((record) => JSON.stringify(record))).size).toBeGreaterThan(1);
      expect(records.at(-1)).toEqual(records[0]);
    }
    const plans = answersOf('getUsage').map(({ plan }) => plan);
    expect(new Set(plans).size).toBeGreaterThan(1);
    expect(plans.at(-1)).toBe(plans[0]);
  });

  it.each(['bare-results', 'reference-pages', 'strict'])('fail no permitted choice: %s', async (dialect) => {
    const { ids } = await runAgainstMock({ dialect });
    expect(ids.failed).toEqual([]);
    expect(ids.passed.length).toBeGreaterThan(65);
  });

  it('detect a rate limit', async () => {
    const { ids } = await runAgainstMock({
      dialect: { 'limits.rate': 20 },
      cases: selectCases('errors/rate-limit'),
    });
    expect(ids.passed).toEqual([NO_LIMIT]);
  });

  it('do nothing without permission', async () => {
    const { exchanges, ids } = await runAgainstMock({ allow: [], keys: {} });
    const sent = new Set(exchanges.map(({ operation }) => operation));
    for (const costly of [
      'topUp',
      'setAutoTopUp',
      'setPlan',
      'updateOrganisation',
      'inviteUser',
      'updateProxy',
    ])
      expect(sent).not.toContain(costly);
    expect(ids.skipped.length).toBeGreaterThan(10);
    expect(ids.failed).toEqual([]);
  });
});

describe('a server that has tasks and sends one response to all other requests', () => {
  const byTasks = Object.values(operations)
    .filter(({ path, id }) => path.startsWith('/task') && id !== 'createChatTask')
    .map(({ id }) => id);
  const cases = resourceCases.filter(
    // Without credits a task is refused, which concerns no other case.
    ({ id, operations: called }) =>
      id !== 'errors/no-credits' && !called.every((each) => byTasks.includes(each)),
  );

  it.each<[string, () => Response]>([
    ['200 {}', () => Response.json({})],
    ['200 {"r":{}}', () => Response.json({ r: {} })],
    ['200 {"r":true}', () => Response.json({ r: true })],
    ['200 {"r":[]}', () => Response.json({ r: [] })],
    ['404', () => Response.json({ detail: 'no' }, { status: 404 })],
    ['500', () => new Response('', { status: 500 })],
    ['200 in HTML', () => new Response('<html></html>')],
  ])('passes nothing of it: %s', async (_, response) => {
    const { ids, faults } = await runAgainstMock({
      cases,
      rules: [],
      bend: async ({ operation, url, init }, pass) =>
        byTasks.includes(operation) ? pass(url, init) : response(),
    });
    expect(ids.passed).toEqual([]);
    expect(ids.failed.length + ids.inconclusive.length + ids.skipped.length).toBeGreaterThan(50);
    expect(faults).toEqual([]);
  });

  it('passes nothing at all where it has no tasks either', async () => {
    const { ids } = await runAgainstMock({ bend: async ({ operation }) => createEmptySuccess(operation) });
    expect([ids.passed, ids.failed]).toEqual([[], ['polling/first-tasks#TASK-14']]);
  });
});
