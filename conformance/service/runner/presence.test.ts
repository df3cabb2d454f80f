import { describe, expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import { type ConformOptions, conform } from '../../conform.js';
import { allCases } from '../all-cases.js';
import { mockTarget } from '../http-client/in-process.js';
import type { FetchFunction } from '../http-client/target.js';

const THERE = /^(?:(?:POST|GET) \/task|(?:GET|DELETE) \/task\/[^/]+|GET \/profile)$/;
const CASES = allCases.filter(
  ({ id }) =>
    ['polling/one-shot', 'resources/profile', 'resources/listProfiles-answer', 'resources/sops'].includes(
      id,
    ) || /^(?:resources|errors)\/(?:listSops|listApps|getJob|deleteProfile|createProfile)-/.test(id),
);

type Refuse = (method: string, path: string, hasKey: boolean) => Response | undefined;

/** Runs the suite against a mock whose router knows only these paths. */
async function judged(refuse: Refuse, options: Partial<ConformOptions> = {}) {
  const mock = new Mock({ clock: 'manual' });
  await mock.ready;
  const fetch: FetchFunction = async (input, init = {}) => {
    const url = new URL(String(input));
    const hasKey = 'apikey' in (init.headers as Record<string, string>);
    const refused = refuse(init.method ?? 'GET', url.pathname.replace('/api/v1', ''), hasKey);
    return refused ?? mock.fetch(input, init);
  };
  const target = mockTarget(mock, fetch);
  try {
    return await conform({ ...target, apiKey: 'a', cases: CASES, seed: 1, concurrency: 1, ...options });
  } finally {
    await mock.close();
  }
}

const notFound = (status = 404) => Response.json({ detail: 'Not Found' }, { status });
const router: Refuse = (method, path) => (THERE.test(`${method} ${path}`) ? undefined : notFound());

describe('a service that has a part of the operations', () => {
  it('fails once for the missing operations, and nothing else fails', async () => {
    const report = await judged(router);
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id }) => id)).toEqual(['resources/operations#missing']);
    expect(report.operations?.missing).toContainEqual({ operation: 'listSops', status: 404 });
    expect(report.operations?.lacks).toEqual(
      expect.arrayContaining(['listSops', 'createProfile', 'listApps']),
    );
    expect(failed[0]!.message).toContain(`lacks: [${report.operations!.lacks.join(', ')}]`);
    expect(report.causes).toHaveLength(1);
    const skipped = report.checks.find(({ id }) => id.startsWith('resources/listSops-answer#'));
    expect(skipped).toMatchObject({
      outcome: 'skipped',
      message: 'it needs listSops, which is not there: requests to it get 404',
    });
    const conforms = await judged(router, { lacks: report.operations!.lacks });
    expect(conforms.operations).toBeUndefined();
    expect(conforms.summary).toMatchObject({ failed: 0 });
    expect(conforms.summary.passed).toBe(report.summary.passed);
    expect(conforms.summary.passed).toBeGreaterThan(0);
  });

  it('does not conform where a selection has nothing else that fails', async () => {
    const missing = ['resources/operations#missing'];
    const failedOf = async (options: Partial<ConformOptions>) =>
      (await judged(router, options)).checks
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ id }) => id);
    expect(await failedOf({ only: ['polling/*', 'resources/listSops-answer'] })).toEqual(missing);
    expect(await failedOf({ exclude: ['resources/profile'] })).toEqual(missing);
    expect(await failedOf({ exclude: missing })).toEqual([]);
    expect(await failedOf({ only: ['polling/*'] })).toEqual([]);
  });

  it('fails in the same way if every request needs a key first', async () => {
    const report = await judged((method, path, hasKey) =>
      hasKey ? router(method, path, hasKey) : Response.json({ detail: 'no key' }, { status: 401 }),
    );
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id }) => id)).toEqual(['resources/operations#missing']);
    // Operations that need a workspace are not reached.
    expect(report.operations?.lacks).toEqual(
      expect.arrayContaining(['createProfile', 'listApps', 'createWorkspace']),
    );
  });

  it('is judged where it has nothing but tasks', async () => {
    const report = await judged((method, path) =>
      /^(?:POST \/task|(?:GET|DELETE) \/task\/[^/]+)$/.test(`${method} ${path}`) ? undefined : notFound(),
    );
    expect(report.unreachable).toBe(false);
    expect(report.checks.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1);
    expect(report.left).toEqual([]);
  });

  it('is failed for an operation that does not find what there is', async () => {
    const report = await judged((method, path) =>
      `${method} ${path}` === 'GET /profile'
        ? Response.json({ detail: 'no profile' }, { status: 404 })
        : undefined,
    );
    expect(report.operations).toBeUndefined();
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(failed).toContain('resources/listProfiles-answer#PROFILE-03');
  });

  it('fails nothing if its responses for unknown paths and unknown records are equal', async () => {
    const isNothing = (path: string) => path.startsWith('/job/') || path === '/taskdouble-no-such-path';
    const report = await judged((_, path, hasKey) =>
      isNothing(path) || (hasKey && path === '/task/taskdouble-none') ? notFound() : undefined,
    );
    expect(report.operations).toBeUndefined();
    const distinct = await judged((_, path) => (isNothing(path) ? notFound() : undefined));
    expect(distinct.operations?.missing).toEqual([{ operation: 'getJob', status: 404 }]);
  });

  it('has the methods that it refuses with 405 and 501 no more than those with 404', async () => {
    const report = await judged((_, path) =>
      path === '/sop' ? notFound(405) : path === '/app' ? notFound(501) : undefined,
    );
    expect(report.operations?.missing).toEqual(
      expect.arrayContaining([
        { operation: 'listSops', status: 405 },
        { operation: 'listApps', status: 501 },
      ]),
    );
  });
});

it('a leak is no consequence of what is missing', async () => {
  const { addPresenceCheck: withPresence } = await import('./presence.js');
  const leak = {
    id: 'auth/x#SERVICE-04',
    case: 'auth/x',
    suite: 'auth' as const,
    title: 't',
    covers: ['SERVICE-04' as const],
    outcome: 'failed' as const,
    message: 'm',
    evidence: [1],
    severity: 'leak' as const,
  };
  const presence = {
    there: 1,
    of: 2,
    untried: 0,
    missing: [{ operation: 'listSops' as const, status: 404 }],
  };
  const request = { method: 'GET', url: '/api/v1/sop', headers: {}, at: 0 };
  const exchange = { seq: 1, kind: 'other' as const, operation: 'listSops', organisation: 'main', request };
  const { severity: _, ...miss } = leak;
  const checks = withPresence([leak, miss], presence, [exchange], () => 'SOP-01');
  expect(checks.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'skipped']);
});
