import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import { classifyRequest, type Exchange } from '../../../spec/vocabulary.js';
import { playRoundTrip } from '../../../test/support/recordings/round-trip.js';
import { convertExchanges } from './convert-recording.js';

const QUICK = [
  'tool-calls/corrected-input',
  'sessions/goto-extract-evaluate-close',
  'races/reply-response-lost',
  'races/call-after-cancel',
  'status-codes/cancelled-by-client',
  'resources/late-recording-url',
];
const library = await readLibrary();

/** A conversation in which the client sends something twice, because the response to the first was lost. */
function recordTwice(kind: 'reply' | 'action' | 'cancel'): Exchange[] {
  const id = '4a4824d4-01c1-479b-ac70-a7749948134c';
  const call = { id: 'c1', name: 'tool_call', payload: { name: 'get_weather', input: {} }, timestamp: 1000 };
  const request = kind === 'action' ? { task: null } : { task: 'Weather' };
  const common = { organisation: 'org-1', task: id };
  const exchange = (seq: number, operation: string, sent: object, received?: object): Exchange => {
    const path = { createTask: '', getTask: `/${id}`, deleteTask: `/${id}` }[operation] ?? `/${id}/event`;
    const method = { getTask: 'GET', deleteTask: 'DELETE' }[operation] ?? 'POST';
    const body = JSON.stringify(sent);
    return {
      ...common,
      ...{ seq, operation, kind: classifyRequest(operation, sent) },
      request: { method, url: `/api/v1/task${path}`, headers: {}, at: seq * 1000, body },
      ...(received
        ? { response: { status: 200, headers: {}, body: JSON.stringify({ r: received }), at: seq * 1000 } }
        : { network: [{ effect: 'lost', note: 'response dropped' }] }),
    };
  };
  const send = (seq: number, received?: object): Exchange => {
    const value = seq === 3 ? 9 : 10;
    if (kind === 'cancel') return exchange(seq, 'deleteTask', {}, received && { id, status: 'cancelled' });
    const payload =
      kind === 'reply'
        ? { code: 200, output: { temp_c: value } }
        : { name: 'goto', input: { url: `https://a.test/${value}` } };
    const name = kind === 'reply' ? 'tool_call' : 'browser_action';
    return exchange(seq, 'sendTaskEvent', { id: 'c1', name, payload, timestamp: seq }, received);
  };
  const running = { id, status: 'running', output: null, events: kind === 'reply' ? [call] : [] };
  return [
    exchange(1, 'createTask', request, { id, status: 'running' }),
    exchange(2, 'getTask', {}, running),
    send(3),
    send(5, { id: 'c1' }),
    exchange(
      6,
      'getTask',
      {},
      { ...running, events: [], status: kind === 'cancel' ? 'cancelled' : 'running' },
    ),
  ];
}

describe('the scenario of a recorded conversation', () => {
  it.each(QUICK)('gives the same client the same conversation: %s', async (name) => {
    const { problems, before, after } = await playRoundTrip(library.find((each) => each.name === name)!);
    expect(problems).toEqual([]);
    expect(before.tasks.length).toBeGreaterThan(0);
    expect(after).toEqual(before);
  });

  it('keeps a call whose input is not an object as the event that it was', async () => {
    const one = library.find(({ name }) => name === 'tool-calls/one-call')!;
    const timeline = one.timeline.map((step) => {
      if (!('service' in step) || step.service !== 'tool_call') return step;
      const payload = { name: step.tool, input: 'Oslo' };
      return { id: step.id!, service: 'event' as const, name: 'tool_call' as const, payload };
    });
    const { problems, yaml, before, after } = await playRoundTrip({ ...one, timeline });
    expect(problems).toEqual([]);
    expect(yaml).toMatch(/# The input of the call is not an object: .*\n {2}- service: event\n/);
    expect(after).toEqual(before);
  });

  it.each(['reply', 'action', 'cancel'] as const)(
    'has the first %s if only its response was lost',
    (kind) => {
      const { scenarios } = convertExchanges(recordTwice(kind), 'journal');
      expect(scenarios[0]!.yaml).toContain(
        {
          reply: 'output: { temp_c: 9 }',
          action: 'input: { url: https://a.test/9 }',
          cancel: '- client: cancel\n    after: 2s',
        }[kind],
      );
    },
  );

  it('marks choices that the recording leaves open with comments', async () => {
    const scenario = library.find((each) => each.name === 'races/reply-request-lost')!;
    const { yaml } = await playRoundTrip(scenario, ({ network: _, ...exchange }) => exchange);
    expect(yaml).toMatch(/^# Made by taskdouble .* from journal, task .*: \d+ exchanges\.$/m);
    expect(yaml).toMatch(
      /^ {2}# The recording does not show whether the request or the response was lost: request is a guess\.\n {2}- network: drop\n/m,
    );
    // A journal shows which of the two was lost.
    expect((await playRoundTrip(scenario)).yaml).not.toContain('is a guess');
    expect(yaml).toMatch(
      /^ {2}# Between .* and .*: the recording shows no exact time\.\n {2}- service: finish$/m,
    );
  });
});
