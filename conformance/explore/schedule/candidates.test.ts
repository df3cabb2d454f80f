import { describe, expect, it } from 'vitest';
import type { DeviationKind } from '../../../scenarios/verbs/verbs.js';
import { parseScenario } from '../../../test/support/explore/scenarios.js';
import { STUB_TRACE, TWO_CALLS } from '../../../test/support/explore/stub.js';
import { parseTrace } from '../../../test/support/explore/traces.js';
import { isAlone, listCandidates } from './candidates.js';
import { formatDeviationKey } from './schedule.js';
import { readTrace } from './traced-run.js';

const BOUNDS = { holdMs: 4000, delayMs: 3000 };

const BOTH = parseTrace(...STUB_TRACE);

const session = parseScenario(
  `
- client: action
  id: open
  name: goto
  input: { url: https://a.example }
- service: result
  id: opened
  to: open
- client: close
  id: close
- service: result
  id: closed
  to: close
- service: finish
  id: finish
`,
  'task: null\nurl: https://a.example',
);
const SESSION = parseTrace(
  'arrive create#1',
  'response create#1 200',
  'arrive action open#1',
  'response action open#1 200',
  'service result opened',
  'arrive poll#1',
  'response poll#1 202 [opened]',
  'arrive action close#1',
  'response action close#1 200',
  'service result closed',
  'arrive poll#2',
  'response poll#2 202 [closed]',
  'service finish',
  'arrive poll#3',
  'response poll#3 200',
);

const rules = (candidates: ReturnType<typeof listCandidates>, kind: DeviationKind) =>
  candidates.filter(({ deviation }) => deviation.kind === kind).map(({ deviation }) => deviation.rule);

describe('possible deviations', () => {
  const calls = listCandidates(TWO_CALLS, readTrace(BOTH), [], BOUNDS);
  const actions = listCandidates(session, readTrace(SESSION), [], BOUNDS);

  it('include each refusal of the first request of a kind but polls, without other deviations', () => {
    const targets = rules(actions, 'rejected').map((rule) => [rule.of, 'status' in rule && rule.status]);
    expect(targets).toEqual(
      [{ create: 1 }, { action: 'open' }, { action: 'close' }].flatMap((of) =>
        [401, 404, 422].map((status) => [of, status]),
      ),
    );
    const [limited] = calls.filter(({ deviation }) => deviation.kind === 'limited');
    const more = listCandidates(TWO_CALLS, readTrace(BOTH), [limited!.deviation], BOUNDS);
    expect(rules(more, 'limited')).not.toEqual([]);
    expect(more.filter(({ deviation }) => isAlone(deviation))).toEqual([]);
  });

  it('include every fault of every request, once', () => {
    expect(rules(calls, 'limited').map(({ of }) => of)).toEqual([
      { create: 1 },
      { poll: 1 },
      { reply: 'c1' },
      { reply: 'c2' },
      { poll: 2 },
    ]);
    const texts = calls.map(({ deviation }) => formatDeviationKey(deviation));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('have the place of each', () => {
    expect(calls.find(({ sort }) => sort === 'response-lost reply')).toEqual({
      deviation: {
        kind: 'response-lost',
        rule: { network: 'drop', of: { reply: 'c1' }, side: 'response' },
        at: 'reply c1#1',
      },
      text: '{"network":"drop","of":{"reply":"c1"},"side":"response"}',
      place: 6,
      sort: 'response-lost reply',
      rank: 1,
    });
  });

  it('redeliver events only after some were read, and duplicate or reverse only existing ones', () => {
    expect(rules(calls, 'redeliver').map(({ of }) => of)).toEqual([{ poll: 2 }]);
    expect(rules(calls, 'repeat').map(({ of }) => of)).toEqual([{ poll: 1 }]);
    expect(rules(calls, 'shuffle').map(({ of }) => of)).toEqual([{ poll: 1 }]);
    expect(rules(actions, 'shuffle')).toEqual([]);
  });

  it('move the second event to the instant of the first, never the first', () => {
    expect(rules(calls, 'same-instant').map(({ of }) => of)).toEqual([{ step: 'c2' }]);
  });

  it('end at once only if a result could be lost', () => {
    expect(rules(calls, 'at-once')).toEqual([]);
    expect(rules(actions, 'at-once').map(({ of }) => of)).toEqual([{ step: 'finish' }]);
  });

  it('hold a step for independent events, never for its consequences', () => {
    const held = rules(calls, 'hold-step').map((rule) =>
      JSON.stringify([rule.of, 'until' in rule && rule.until]),
    );
    expect(held).toContain('[{"step":"c2"},{"arrive":{"poll":1}}]');
    expect(held).toContain('[{"step":"c2"},{"arrive":{"reply":"c1"}}]');
    expect(held).not.toContain('[{"step":"c2"},{"arrive":{"reply":"c2"}}]');
    expect(held).not.toContain('[{"step":"c1"},{"arrive":{"reply":"c1"}}]');
    // The second action waits for the result of the first.
    const results = rules(actions, 'hold-step').map((rule) =>
      JSON.stringify([rule.of, 'until' in rule && rule.until]),
    );
    expect(results).toContain('[{"step":"opened"},{"arrive":{"poll":1}}]');
    expect(results).not.toContain('[{"step":"opened"},{"arrive":{"action":"close"}}]');
  });

  it('hold a request or its response for an independent step', () => {
    const steps = (kind: DeviationKind, of: object) =>
      rules(actions, kind).flatMap((rule) =>
        JSON.stringify(rule.of) === JSON.stringify(of) && rule.network === 'hold' && 'step' in rule.until
          ? [rule.until.step]
          : [],
      );
    // The result can be there before the action is acknowledged, but not before the action.
    expect(steps('hold-response', { action: 'open' })).toContain('opened');
    expect(steps('hold-request', { action: 'open' })).toEqual([]);
    expect(steps('hold-response', { action: 'open' })).not.toContain('closed');
    expect(steps('hold-response', { poll: 1 })).toEqual([]);
  });

  it('include no second fault of a failed request, and no present deviation', () => {
    const spoilt = BOTH.map((entry) =>
      entry.what === 'response' && entry.name === 'reply c1#1' ? { ...entry, status: 0 } : entry,
    );
    const taken = calls
      .filter(({ deviation }) => deviation.kind === 'same-instant')
      .map(({ deviation }) => deviation);
    const left = listCandidates(TWO_CALLS, readTrace(spoilt), taken, BOUNDS);
    expect(rules(left, 'limited').map(({ of }) => of)).not.toContainEqual({ reply: 'c1' });
    expect(rules(left, 'limited').map(({ of }) => of)).toContainEqual({ reply: 'c2' });
    expect(rules(left, 'same-instant')).toEqual([]);
  });

  it('target a later try of the same request by skipping the earlier ones', () => {
    const trace = [
      ...BOTH.slice(0, 8),
      ...parseTrace('arrive reply c1#1', 'arrive reply c1#2', 'response reply c1#2 200').slice(1),
    ];
    expect(rules(listCandidates(TWO_CALLS, readTrace(trace), [], BOUNDS), 'limited')).toContainEqual({
      network: 'fail',
      of: { reply: 'c1' },
      skip: 1,
      status: 429,
      retry_after_s: 1,
    });
  });
});
