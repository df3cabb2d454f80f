import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCheck, createExchange } from '../../test/support/report/reports.js';
import { findCauses } from './causes.js';
import type { CheckResult } from './check-result.js';

it('a failed prerequisite explains its dependants, and a second fault is a cause of its own', () => {
  const polls = [createExchange({}, {}), createExchange({}, {})];
  const [first, second] = polls.map(({ seq }) => seq);
  const reply = createExchange({}, {}, { operation: 'sendTaskEvent' });
  const checks = [
    createCheck('polling/a#POLL-02', 'failed', { evidence: [first!], message: 'got 200 instead of 202' }),
    createCheck('polling/a#TASK-07', 'failed', { evidence: [first!] }),
    createCheck('polling/b#POLL-02', 'failed', { evidence: [first!, second!] }),
    createCheck('polling/b#TASK-07', 'passed'),
    createCheck('polling/c#TASK-07', 'passed'),
    createCheck('tool-calls/a#TOOL-01', 'failed', { evidence: [reply.seq] }),
  ];
  expect(findCauses(checks, [...polls, reply])).toEqual([
    {
      id: 'POLL-02',
      title: 'got 200 instead of 202',
      requirements: ['POLL-02', 'TASK-07'],
      rule: 'POLL-02',
      operation: 'getTask',
      severity: 'state',
      explains: 3,
      example: 'polling/a#POLL-02',
      checks: ['polling/a#POLL-02', 'polling/b#POLL-02', 'polling/a#TASK-07'],
    },
    expect.objectContaining({ id: 'TOOL-01', operation: 'sendTaskEvent', explains: 1 }),
  ]);
});

/** A failed check of a client: `sessions/a#line/error`. */
const broken = (id: string, more: Partial<CheckResult> = {}) => {
  const rule = id.slice(id.indexOf('#') + 1);
  return createCheck(id, 'failed', { rule, covers: ['CLIENT-10'], evidence: [1], ...more });
};
const membersOf = (...checks: CheckResult[]) => findCauses(checks, []).map(({ checks: its }) => its);

it('two requirements that rules find violated in one exchange are two causes, even in one operation', () => {
  const poll = createExchange({}, {});
  const both = (name: string) => [
    createCheck(`polling/${name}#EVENT-10`, 'failed', { rule: 'events/timestamp', evidence: [poll.seq] }),
    createCheck(`polling/${name}#TASK-06`, 'failed', { rule: 'tasks/live-url', evidence: [poll.seq] }),
  ];
  const causes = findCauses([...both('a'), ...both('b')], [poll]);
  expect(causes.map(({ id, explains }) => [id, explains])).toEqual([
    ['TASK-06', 2],
    ['EVENT-10', 2],
  ]);
});

it('a specific rule explains that the client gave up and left the session open in the same run, and in no other', () => {
  const situation = { given: 'the result of goto', waits: 'the end of its task' };
  const own = [broken('a/x#replies/each-call'), broken('a/x#line/error', { situation })];
  const open = broken('a/x#sessions/closed');
  const other = broken('a/y#line/error', { situation });
  expect(membersOf(...own, open, other)).toEqual([
    ['a/x#replies/each-call', 'a/x#line/error', 'a/x#sessions/closed'],
    ['a/y#line/error'],
  ]);
});

it('clients that give up in different situations, or with other errors, have different defects', () => {
  const after = (given: string, error?: string) => ({
    situation: { given, waits: 'the end of its task', ...(error && { error }) },
  });
  const causes = findCauses(
    [
      broken('a/x#line/error', after('a tool call')),
      broken('a/y#line/error', after('the status waiting', 'KeyError')),
      broken('a/z#line/error', after('the status waiting', 'KeyError')),
    ],
    [],
  );
  expect(causes.map(({ title, explains }) => [explains, title])).toEqual([
    [2, expect.stringMatching(/^The client gave up without a reason after the status waiting \(KeyError\)/)],
    [1, expect.stringContaining('after a tool call.')],
  ]);
});

it('values that a client changed alike are one cause, wherever it reports them', () => {
  const change = 'a text became a number';
  const causes = findCauses(
    [
      broken('a/x#line/output', { change }),
      broken('a/y#line/tool-runs', { change, covers: ['TOOL-10'] }),
      broken('a/z#line/output', { change: 'a text was cut' }),
    ],
    [],
  );
  expect(causes.map(({ title, explains }) => [explains, title])).toEqual([
    [2, 'The client changed a value that it had received: a text became a number.'],
    [1, 'The client changed a value that it had received: a text was cut.'],
  ]);
});

it('a process that died explains what it left undone and reports, not what it had sent wrong before', () => {
  const died = { given: 'a tool call', waits: 'a service that waits for a reply', died: true as const };
  expect(
    membersOf(
      broken('a/x#body/event-timestamp', { evidence: [2] }),
      broken('a/x#replies/each-call'),
      broken('a/x#line/missing', { situation: died }),
    ),
  ).toEqual([['a/x#line/missing', 'a/x#replies/each-call'], ['a/x#body/event-timestamp']]);
});

it('the form of a request explains a client that gives up only where that request was refused', () => {
  const form = broken('a/x#body/json', { evidence: [4] });
  const situation = { given: 'a response with status 422', waits: 'a task' };
  const gaveUp = (seq: number) => broken('a/x#line/error', { situation, evidence: [seq] });
  expect(membersOf(form, gaveUp(4))).toHaveLength(1);
  expect(membersOf(form, gaveUp(5))).toHaveLength(2);
});

it('a leak is first, even if other causes explain more, and is part of no other cause', () => {
  const checks = ['a', 'b', 'c'].map((name) =>
    createCheck(`polling/${name}#POLL-02`, 'failed', { evidence: [1] }),
  );
  const leak = createCheck('polling/a#ERROR-03', 'failed', { evidence: [1], severity: 'leak' });
  expect(findCauses([...checks, leak], []).map(({ id, severity }) => [id, severity])).toEqual([
    ['ERROR-03', 'leak'],
    ['POLL-02', 'state'],
  ]);
});

it('what a case misses in the exchange in which it misses something graver is the same, and never the other way round', () => {
  const missed = (name: string, seq: number, severity: 'leak' | 'loss' | 'state') =>
    createCheck(`sessions/a#${name}`, 'failed', { evidence: [seq], severity });
  const idsOf = (...checks: CheckResult[]) => findCauses(checks, []).map(({ id }) => id);
  expect(idsOf(missed('SESSION-06', 1, 'state'), missed('EVENT-08', 1, 'loss'))).toEqual(['EVENT-08']);
  expect(idsOf(missed('SESSION-06', 2, 'state'), missed('EVENT-08', 1, 'loss'))).toHaveLength(2);
  expect(idsOf(missed('SESSION-06', 1, 'state'), missed('ERROR-03', 1, 'leak'))).toHaveLength(2);
  expect(idsOf(missed('SESSION-06', 1, 'loss'), missed('ERROR-03', 1, 'leak'))).toHaveLength(2);
});

it('what a case misses in an exchange in which it misses the graver again is the same', () => {
  const graver = (again_in: number[]) => ({
    ...createCheck('sessions/a#EVENT-08', 'failed', { evidence: [1], severity: 'loss' as const }),
    again_in,
  });
  const missed = createCheck('sessions/a#SESSION-08', 'failed', { evidence: [2, 9], severity: 'state' });
  expect(findCauses([missed, graver([5, 9])], []).map(({ id }) => id)).toEqual(['EVENT-08']);
  expect(findCauses([missed, graver([2])], [])).toHaveLength(2);
});

it('is to be fixed first where another cause shows only in its runs', () => {
  const [a, b] = [broken('a/x#replies/once'), broken('a/y#replies/once')];
  const within = findCauses([a, b, broken('a/x#create/once')], []);
  expect(within.map(({ first }) => first)).toEqual([true, undefined]);
  const apart = findCauses([a, b, broken('a/z#create/once')], []);
  expect(apart.map(({ first }) => first)).toEqual([undefined, undefined]);
});

it('puts every failed check into exactly one cause, and the example among them', () => {
  const anyCheck = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    requirement: fc.constantFrom('P-1', 'P-2', 'P-3', 'P-4', 'P-5'),
    outcome: fc.constantFrom('passed' as const, 'failed' as const, 'inconclusive' as const),
    evidence: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(anyCheck, { maxLength: 30 }), (given) => {
      const checks = given.map(({ name, requirement, outcome, evidence }, n) =>
        createCheck(`${name}${n}/case#${requirement}`, outcome, { case: name, evidence }),
      );
      const causes = findCauses(checks, []);
      const failed = checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
      expect(causes.flatMap((cause) => cause.checks).sort()).toEqual(failed.sort());
      for (const { checks: its, example, explains } of causes) {
        expect(its).toContain(example);
        expect(its).toHaveLength(explains);
      }
    }),
    { numRuns: 200, seed: 1 },
  );
});
