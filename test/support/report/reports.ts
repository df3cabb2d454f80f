import { findCauses } from '../../../conformance/causes/causes.js';
import { type CheckResult, type Outcome, summarizeChecks } from '../../../conformance/causes/check-result.js';
import type { ConformReport } from '../../../conformance/service/runner/result.js';
import type { Exchange } from '../../../spec/vocabulary.js';

/** A key that no report may contain. */
export const SECRET = 'td-live-key-0123456789';

/** Text that, unescaped, executes code, loads something, breaks markup or moves the cursor. */
export const HOSTILE = [
  '</pre></details></script><script>window.hacked=1</script><img src=x onerror="window.hacked=2">',
  `"'><svg onload=window.hacked=3>`,
  ']]>',
  '\u001b[2J\u001b]0;title\u0007',
  '\u0000\u0085\u2028\u202etxt.exe\ud800\uffff',
  '\r\n::error::not ok 99 - fake # SKIP `````` | @everyone [link](javascript:alert(1))',
  "$(touch /tmp/x) `id` '; rm -rf ~ #",
  '--- ... {{x}}',
].join('\n');

let seq = 0;

export function createExchange(
  request: Partial<Exchange['request']>,
  response?: Partial<NonNullable<Exchange['response']>>,
  more: Partial<Exchange> = {},
): Exchange {
  seq++;
  const at = 1_000 * seq;
  return {
    seq,
    kind: 'poll',
    operation: 'getTask',
    organisation: 'main',
    ...more,
    request: {
      method: 'GET',
      url: '/api/v1/task/t1?event_t=0',
      headers: { accept: 'application/json', apikey: '<redacted>' },
      at,
      ...request,
    },
    ...(response
      ? {
          response: {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: '{"r":{}}',
            at: at + 12,
            ...response,
          },
        }
      : {}),
  };
}

export function createCheck(id: string, outcome: Outcome, more: Partial<CheckResult> = {}): CheckResult {
  const [name = '', requirement = ''] = id.split('#');
  return {
    id,
    case: name,
    suite: name.split('/')[0] as CheckResult['suite'],
    title: `What ${name} looks at.`,
    covers: [requirement as CheckResult['covers'][number]],
    outcome,
    message: outcome === 'passed' ? 'seen' : `why it is ${outcome}`,
    evidence: [],
    ...more,
  };
}

export function createReport(checks: CheckResult[], more: Partial<ConformReport> = {}): ConformReport {
  return {
    taskdouble: '0.1.0',
    target: { base_url: 'http://127.0.0.1:4010' },
    seed: 7,
    started: '2026-01-02T03:04:05.678Z',
    duration_ms: 4210,
    summary: summarizeChecks(checks),
    checks,
    causes: findCauses(checks, more.exchanges ?? []),
    exchanges: [],
    dialect: { 'auth.missing-key': '401' },
    requirements: { total: 3, tested: 2, untested: [{ id: 'SERVICE-03', why: 'Silence proves nothing.' }] },
    ...more,
  };
}

export function createGoodReport(): ConformReport {
  seq = 0;
  const seen = createExchange({}, { status: 202, body: '{"r":{"id":"t1","status":"running"}}' });
  return createReport(
    [
      createCheck('polling/one-shot#POLL-01', 'passed', { evidence: [seen.seq] }),
      createCheck('polling/one-shot#POLL-02', 'passed', { evidence: [seen.seq] }),
      createCheck('auth/keys#AUTH-01', 'passed'),
    ],
    { exchanges: [seen] },
  );
}

/** A case of three checks with an internal error, beside checks that passed. */
export function createCrashedReport(): ConformReport {
  const message = 'the check itself crashed, which is a fault of taskdouble (TypeError: x is undefined)';
  return createReport([
    createCheck('auth/keys#AUTH-01', 'passed'),
    createCheck('polling/odd#POLL-01', 'error', { message }),
    createCheck('polling/odd#POLL-02', 'error', { message }),
    createCheck('polling/odd#POLL-03', 'error', { message }),
  ]);
}

/** Every outcome, known failures, requests of every kind. */
export function createMixedReport(): ConformReport {
  seq = 0;
  const created = createExchange(
    {
      method: 'POST',
      url: '/api/v1/task',
      body: '{"task":"It\'s a task","proxy_password":"hunter2"}',
      headers: { apikey: '<redacted>', 'content-type': 'application/json' },
    },
    { body: '{"r":{"id":"t1","status":"running"}}' },
    { kind: 'create', operation: 'createTask' },
  );
  const running = createExchange({}, { status: 202, body: '{"r":{"id":"t1","status":"running"}}' });
  const polled = createExchange({}, { status: 200, body: '{"r":{"id":"t1","status":"running"}}' });
  const lost = createExchange({ url: '/api/v1/task/t2' });
  const stranger = createExchange(
    { url: '/api/v1/usage', headers: { cookie: 'apikey=<redacted>' } },
    { status: 401, body: '{"detail":"no such key"}' },
    { organisation: 'stranger', kind: 'getUsage', operation: 'getUsage' },
  );
  return createReport(
    [
      createCheck('polling/one-shot#POLL-01', 'failed', {
        message: 'GET /task/t1: expected 202 while the task is running, got 200',
        evidence: [polled.seq],
      }),
      createCheck('polling/hanging#POLL-02', 'failed', {
        message: 'no response within 10 s',
        evidence: [lost.seq],
      }),
      createCheck('auth/keys#AUTH-01', 'passed', { evidence: [stranger.seq] }),
      createCheck('tool-calls/one#TOOL-01', 'inconclusive', { message: 'the agent called no tool' }),
      createCheck('tool-calls/two#TOOL-02', 'inconclusive', { message: 'the agent called no tool' }),
      createCheck('resources/proxies#RES-01', 'skipped', { message: 'premium' }),
      createCheck('errors/body#ERR-01', 'failed', {
        message: 'no detail',
        known: { reason: 'is being mended', expires: '2099-01-01' },
        evidence: [stranger.seq],
      }),
    ],
    {
      exchanges: [created, running, polled, lost, stranger],
      dialect: { 'auth.missing-key': '403', 'auth.invalid-key': '401' },
      baseline: {
        file: 'known.yaml',
        known: 1,
        problems: ['known.yaml:4:3: "x/y#Z-1" does not fail any more; remove the entry'],
      },
    },
  );
}

/** A service that sends hostile text and reveals keys. */
export function createHostileReport(): ConformReport {
  seq = 0;
  const bad = createExchange(
    { url: `/api/v1/task/<b>${SECRET}`, body: HOSTILE, headers: { apikey: SECRET, 'x-note': HOSTILE } },
    {
      status: 500,
      headers: { 'set-cookie': `a=${SECRET}`, 'x-bad': HOSTILE },
      body: `{"detail":${JSON.stringify(HOSTILE)},"password":"hunter2","echo":"${SECRET}"}${HOSTILE}${'long '.repeat(20_000)}`,
    },
    { task: HOSTILE, network: [{ effect: 'changed', note: HOSTILE }] },
  );
  return createReport(
    [
      createCheck('errors/hostile#ERR-01', 'failed', {
        title: HOSTILE,
        message: `${HOSTILE} ${SECRET}`,
        evidence: [bad.seq],
      }),
      createCheck('errors/second#ERR-01', 'inconclusive', { title: HOSTILE, message: HOSTILE }),
      createCheck('errors/third#ERR-01', 'skipped', { message: HOSTILE }),
    ],
    {
      target: { base_url: 'http://a.example/"><script>window.hacked=4</script>' },
      exchanges: [bad],
      dialect: { 'auth.missing-key': HOSTILE },
      stopped: HOSTILE,
      requirements: { total: 3, tested: 1, untested: [{ id: 'SERVICE-03', why: HOSTILE }] },
    },
  );
}

/** A race search of a client: advice, a failure with the command that reproduces it, no dialect. */
export function createClientReport(text = 'as it should be'): ConformReport {
  seq = 0;
  const replied = createExchange(
    { method: 'POST', url: '/api/v1/task/t1/event', body: '{"name":"tool_call"}' },
    { status: 429, body: '{"detail":"slow down"}' },
    { kind: 'reply', task: 't1', operation: 'sendTaskEvent' },
  );
  return createReport(
    [
      createCheck('races/reply-limited#replies/outcome', 'failed', {
        message: `the reply was not sent again ${text}`,
        covers: [],
        evidence: [replied.seq],
        again: `npx taskdouble explore --replay 'a b.yaml' -- node client.mjs ${text}`,
      }),
      createCheck('polling/one-shot#exchanges', 'passed', { covers: [] }),
    ],
    {
      target: { base_url: 'http://127.0.0.1', client: `node client.mjs ${text}`, time: 'virtual (Node.js)' },
      exchanges: [replied],
      dialect: {},
      requirements: { total: 0, tested: 0, untested: [] },
      advice: [
        {
          id: 'polling/one-shot#CLIENT-03',
          scenario: 'polling/one-shot',
          rule: 'CLIENT-03',
          message: `polls every 10 ms ${text}`,
          evidence: [],
        },
        {
          id: 'tool-calls/one-call#CLIENT-03',
          scenario: 'tool-calls/one-call',
          rule: 'CLIENT-03',
          message: 'polls every 11 ms',
          evidence: [],
        },
      ],
      searched: {
        statement: `Every schedule with at most 1 deviation. ${text}`,
        schedules: 312,
        distinct: 200,
        not_triggered: 12,
        repeated: 5,
        nondeterministic: [`drop response of poll 1 ${text}`, `the second ${text}`],
        likely_source: `It reads a clock ${text}`,
        shard: { part: 1, of: 4 },
      },
    },
  );
}
