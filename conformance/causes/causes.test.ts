import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check, exchange } from '../../test/support/report/reports.js';
import { causesOf } from './causes.js';

it('a failed prerequisite explains its dependants, and a second fault is a cause of its own', () => {
  const polls = [exchange({}, {}), exchange({}, {})];
  const [first, second] = polls.map(({ seq }) => seq);
  const reply = exchange({}, {}, { operation: 'sendTaskEvent' });
  const checks = [
    check('polling/a#POLL-02', 'failed', { evidence: [first!], message: 'got 200 instead of 202' }),
    check('polling/a#TASK-07', 'failed', { evidence: [first!] }),
    check('polling/b#POLL-02', 'failed', { evidence: [first!, second!] }),
    check('polling/b#TASK-07', 'passed'),
    check('polling/c#TASK-07', 'passed'),
    check('tool-calls/a#TOOL-01', 'failed', { evidence: [reply.seq] }),
  ];
  expect(causesOf(checks, [...polls, reply])).toEqual([
    {
      id: 'POLL-02',
      title: 'got 200 instead of 202',
      requirements: ['POLL-02', 'TASK-07'],
      rule: 'POLL-02',
      operation: 'getTask',
      explains: 3,
      example: 'polling/a#POLL-02',
      checks: ['polling/a#POLL-02', 'polling/b#POLL-02', 'polling/a#TASK-07'],
    },
    expect.objectContaining({ id: 'TOOL-01', operation: 'sendTaskEvent', explains: 1 }),
  ]);
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
        check(`${name}${n}/case#${requirement}`, outcome, { case: name, evidence }),
      );
      const causes = causesOf(checks, []);
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
