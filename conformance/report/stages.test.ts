import { expect, it } from 'vitest';
import { check, report } from '../../test/support/report/reports.js';
import { orderOfWork, progressSince } from './stages.js';

it('names the first stage in which something fails as the next', () => {
  const checks = [
    check('polling/a#POLL-02', 'passed'),
    check('tool-calls/a#TOOL-01', 'passed'),
    check('tool-calls/b#TOOL-01', 'failed'),
    check('sessions/a#SESSION-01', 'failed'),
  ];
  expect(orderOfWork(report(checks))).toBe(
    'create and poll done, tools 1 of 2 passed, sessions 0 of 1 passed. Next: tools (--suite tool-calls).',
  );
  expect(orderOfWork(report(checks.slice(0, 2)))).toBeUndefined();
  const ofClient = { ...report(checks), target: { base_url: 'x', client: 'node x' } };
  expect(orderOfWork(ofClient)).toBeUndefined();
});

it('tells what passes since the report before, and what fails that passed', () => {
  const before = report([
    check('a/a#POLL-02', 'failed'),
    check('a/b#POLL-02', 'passed'),
    check('a/c#POLL-02', 'passed'),
  ]);
  const now = report([
    check('a/a#POLL-02', 'passed'),
    check('a/b#POLL-02', 'failed'),
    check('a/c#POLL-02', 'passed'),
  ]);
  expect(progressSince(before, now)).toBe('1 more pass; 1 passed then and fail now: a/b#POLL-02');
  expect(progressSince(now, now)).toBeUndefined();
});
