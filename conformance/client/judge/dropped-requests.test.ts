import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import { createRun } from '../../../test/support/client/run.js';
import { ExchangeBuilder } from '../../../test/support/rules/exchange-builder.js';
import { play } from '../run/play.js';
import type { ClientFunction } from '../types.js';
import { judgeRun } from './verdict.js';

const CLIENTS = new URL('../../../fixtures/clients/', import.meta.url);
const clientIn = async (file: string) =>
  ((await import(new URL(`${file}.mjs`, CLIENTS).href)) as { run: ClientFunction }).run;
const { makeClient } = (await import(new URL('reference.mjs', CLIENTS).href)) as {
  makeClient(variation: object): ClientFunction;
};
const passesOver = await clientIn('buggy/passes-over-failures');
const waitsForItsTime = await clientIn('buggy/takes-failed-for-sent');
const waitsForEver = makeClient({
  ...(waitsForItsTime as unknown as { variation: object }).variation,
  timeLeft: () => Number.POSITIVE_INFINITY,
});

const library = new Map((await readLibrary()).map((each) => [each.name, each]));
const FAULTS = [
  'limits/*-limited',
  'errors/*-unavailable',
  'errors/*-request-lost',
  'errors/*-response-lost',
];
const SCENARIOS = ['action', 'close', 'cancel'].flatMap((part) =>
  FAULTS.map((fault) => fault.replace('*', part)),
);
/** What the request asks for does not happen. */
const WITHOUT_EFFECT = SCENARIOS.filter((name) => !name.endsWith('response-lost'));

async function findingsIn(name: string, run: ClientFunction) {
  const played = await play(library.get(name)!, { kind: 'function', run });
  // It is about a request that failed.
  expect(played.rules.some(({ fired }) => fired > 0)).toBe(true);
  return judgeRun(played).map(({ level, rule, message }) => ({ kind: `${level} ${rule}`, message }));
}

describe('a request with a transient refusal, or without a response', () => {
  it.each(SCENARIOS)('must be repeated or reported: %s', async (name) => {
    const found = await findingsIn(name, passesOver);
    expect(found.map(({ kind }) => kind)).toEqual(['must requests/dropped']);
    expect(found[0]!.message).toMatch(
      /^(?:POST|DELETE) \S+ \(exchange \d+\)(?:, which sent (?:\w+|the close),)? (?:got no response|got status (?:429|503)), and was not sent again, and the client reports no error\./,
    );
  });

  it.each(WITHOUT_EFFECT.filter((name) => name === 'limits/action-limited' || !name.includes('action')))(
    'must not be awaited until the deadline: %s',
    async (name) => {
      const found = await findingsIn(name, waitsForItsTime);
      const rule = name.includes('cancel') ? 'cancel/matches-job' : 'requests/dropped';
      expect(found.map(({ kind }) => kind)).toEqual([`must ${rule}`]);
      expect(found[0]!.message).toMatch(/was not sent again/);
    },
  );

  it.each(['errors/action-unavailable', 'errors/action-request-lost'])(
    'may be awaited until the deadline if it is an action that may have been accepted: %s',
    async (name) => {
      const found = await findingsIn(name, waitsForItsTime);
      expect(found.filter(({ kind }) => kind.startsWith('must'))).toEqual([]);
    },
  );

  it.each(['races/reply-limited', 'races/reply-request-lost'])('must not be awaited: %s', async (name) => {
    const found = await findingsIn(name, waitsForItsTime);
    expect(found.map(({ kind }) => kind)).toEqual(['must replies/given-up']);
  });

  it.each(WITHOUT_EFFECT)('is named as what a hanging client waits for: %s', async (name) => {
    const hang = (await findingsIn(name, waitsForEver)).find(({ kind }) => kind === 'must run/ended');
    expect(hang?.message).toMatch(
      /It was waiting for the (?:result of \w+|end of the (?:session|task)): (?:POST|DELETE) \S+ \(exchange \d+\) (?:got no response|got status \d+), and was not sent again\.$/,
    );
  });

  it.each(['races/reply-limited', 'races/reply-request-lost'])(
    'is why the service waits where a client hangs: %s',
    async (name) => {
      const [hang] = await findingsIn(name, waitsForEver);
      expect(hang?.message).toMatch(
        /waits for the reply to call .*, which was delivered in exchange \d+: POST .* (?:got no response|got status 429), and was not sent again\.$/,
      );
    },
  );
});

describe('a request that is refused for good', () => {
  const OVER = { status: 429, body: { detail: 'The API credits are exhausted.' } };
  const REPLY = { id: 'c1', name: 'tool_call', payload: { code: 200, output: 3 } };
  /** Eight tries, `pause_ms` apart; the job has 60 s. */
  function judgeTries(pause_ms: number, refusal: object, path = '/task'): string[] {
    const talk = new ExchangeBuilder();
    if (path !== '/task') talk.create();
    const bodies: Record<string, object> = { '/task': { task: 'Do it' }, '/task/t1/event': REPLY };
    for (let n = 0; n < 8; n++) {
      const body = bodies[path];
      talk.addExchange(body ? { method: 'POST', path, body } : { method: 'GET', path }, refusal);
      talk.wait(pause_ms);
    }
    const line = { status: 'running', output: null, results: [], tool_runs: [], error: 'No time is left.' };
    return judgeRun(createRun(talk, { line, exitCode: 1, durationMs: 8 * pause_ms }))
      .filter(({ level }) => level === 'must')
      .map(({ rule }) => rule);
  }

  it.each<[string, object, string]>([
    ['a creation with 403', { status: 403, body: { detail: 'No.' } }, '/task'],
    ['a creation without credits', OVER, '/task'],
    ['a poll with 404', { status: 404, body: { detail: 'No such task.' } }, '/task/t1?event_t=0'],
    ['a reply with 400', { status: 400, body: { detail: 'The task is over.' } }, '/task/t1/event'],
  ])('is not sent until the time is over: %s', (_, refusal, path) => {
    expect(judgeTries(6000, refusal, path)).toContain('requests/refused');
    expect(judgeTries(1000, refusal, path)).not.toContain('requests/refused');
  });

  it('is another matter than a limit, which passes', () => {
    const limit = { status: 429, body: { detail: 'Slow down.' } };
    expect(judgeTries(6000, limit)).not.toContain('requests/refused');
  });
});
