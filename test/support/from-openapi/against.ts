import { type Conformed, conform } from '../../../conformance/conform.js';
import { ALLOWANCES, type Probe } from '../../../conformance/service/cases/test-case.js';
import { createProbing, Ended } from '../../../conformance/service/cases/test-context.js';
import { Talker } from '../../../conformance/service/http-client/http-client.js';
import { mockTarget } from '../../../conformance/service/http-client/in-process.js';
import { Recorder, Stream } from '../../../conformance/service/http-client/recorder.js';
import { Unanswered } from '../../../conformance/service/http-client/response.js';
import type { Fetch, Target } from '../../../conformance/service/http-client/target.js';
import { Cleanup } from '../../../conformance/service/runner/cleanup.js';
import { realClock } from '../../../conformance/service/runner/clock.js';
import type { CheckResult } from '../../../conformance/service/runner/result.js';
import { type RunResult, runProbes } from '../../../conformance/service/runner/run.js';
import { Verdicts } from '../../../conformance/service/runner/verdicts.js';
import { createMock } from '../../../mock/create.js';
import { FIXTURES } from '../../mutants/fixtures.js';

/** An answer of the mock, for a fault or a whim to change. */
export interface Seen {
  method: string;
  /** Below `/api/v1`, without the query. */
  path: string;
  url: URL;
  headers: Headers;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: faults and whims reach into bodies of every shape
  body: any;
}

/** Another request in place of the one that was sent; nothing leaves it as it is. */
export type Before = (request: { url: URL; init: RequestInit; headers: Headers }) => void;
export type After = (seen: Seen) => Partial<Pick<Seen, 'status' | 'body'>> | undefined;

/** A mock that is different in one thing. */
export function bent(fetch: Fetch, { before, after }: { before?: Before; after?: After }): Fetch {
  return async (input, given) => {
    const url = new URL(input);
    const headers = new Headers(given?.headers);
    const init: RequestInit = { ...given, headers };
    before?.({ url, init, headers });
    const response = await fetch(String(url), init);
    if (!after) return response;
    const text = await response.text();
    const path = url.pathname.replace('/api/v1', '');
    const seen: Seen = {
      method: init.method ?? 'GET',
      path,
      url,
      headers,
      status: response.status,
      body: JSON.parse(text),
    };
    const { status, body } = { ...seen, ...after(seen) };
    const type = { 'content-type': 'application/json' };
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers: type });
  };
}

/** Runs probes against a mock in virtual time, everything allowed, and all rules at work. */
export async function against(
  probes: readonly Probe[],
  { dialect = {}, ...bend }: { dialect?: object | string; before?: Before; after?: After } = {},
): Promise<Conformed> {
  const mock = createMock({ clock: 'manual', fixtures: FIXTURES, dialect: dialect as string });
  await mock.ready;
  const target = mockTarget(mock, bent(mock.fetch, bend));
  return conform({ ...target, api_key: 'main-key', probes, allow: ALLOWANCES, concurrency: 1, seed: 1 });
}

/** The same without rules: what the probes themselves have to say. */
export async function alone(
  probes: readonly Probe[],
  { dialect = {}, ...bend }: { dialect?: object | string; before?: Before; after?: After },
): Promise<RunResult> {
  const mock = createMock({ clock: 'manual', fixtures: FIXTURES, dialect: dialect as string });
  await mock.ready;
  const target = mockTarget(mock, bent(mock.fetch, bend));
  return runProbes({
    target: { ...target, keys: { main: 'main-key' }, request_timeout_ms: 5000 },
    probes,
    rules: [],
    settings: { timeout_ms: 60_000, poll_interval_ms: 250, texts: {}, tools: undefined },
    allow: ALLOWANCES,
    concurrency: 1,
    run_id: 'test',
  });
}

/** Runs probes against a server without asking first whether it is one. No rules are at work. */
export async function ungated(probes: readonly Probe[], fetch: Fetch): Promise<CheckResult[]> {
  const recorder = new Recorder();
  const cleanup = new Cleanup();
  let now = 1_700_000_000_000;
  const clock = {
    ...realClock,
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
  const target: Target = {
    base_url: 'http://null.test',
    fetch,
    clock,
    keys: { main: 'main-key' },
    request_timeout_ms: 1000,
  };
  let names = 0;
  const checks: CheckResult[] = [];
  for (const probe of probes) {
    const verdicts = new Verdicts();
    const probing = createProbing({
      target,
      talker: new Talker(target, new Stream(recorder, [])),
      verdicts,
      cleanup,
      settings: { timeout_ms: 1000, poll_interval_ms: 100, texts: {}, tools: undefined },
      allowed: new Set(ALLOWANCES),
      unique: () => `td-${++names}`,
      observed: () => {},
      signal: undefined,
    });
    try {
      await probe.run(probing);
    } catch (error) {
      if (!(error instanceof Ended || error instanceof Unanswered)) throw error;
    }
    checks.push(...verdicts.checks(probe, { kind: 'whole' }));
  }
  return checks;
}

/** `id: message` of the checks with this outcome. */
export function those(checks: readonly CheckResult[], outcome: CheckResult['outcome']): string[] {
  return checks.filter((check) => check.outcome === outcome).map(({ id, message }) => `${id}: ${message}`);
}
