import { expect, it } from 'vitest';
import { createCheck, createReport } from '../../test/support/report/reports.js';
import { describeChanges, describeStages } from './verdict.js';

it('names the first stage in which something fails as the next', () => {
  const checks = [
    createCheck('polling/a#POLL-02', 'passed'),
    createCheck('tool-calls/a#TOOL-01', 'passed'),
    createCheck('tool-calls/b#TOOL-01', 'failed'),
    createCheck('sessions/a#SESSION-01', 'failed'),
  ];
  expect(describeStages(createReport(checks))).toBe(
    'create and poll done, tools 1 of 2 passed, sessions 0 of 1 passed. Next: tools (--suite tool-calls).',
  );
  expect(describeStages(createReport(checks.slice(0, 2)))).toBeUndefined();
  const ofClient = { ...createReport(checks), target: { base_url: 'x', client: 'node x' } };
  expect(describeStages(ofClient)).toBeUndefined();
});

it('shows what passes since the last report, and what fails that passed', () => {
  const before = createReport([
    createCheck('a/a#POLL-02', 'failed'),
    createCheck('a/b#POLL-02', 'passed'),
    createCheck('a/c#POLL-02', 'passed'),
  ]);
  const now = createReport([
    createCheck('a/a#POLL-02', 'passed'),
    createCheck('a/b#POLL-02', 'failed'),
    createCheck('a/c#POLL-02', 'passed'),
  ]);
  expect(describeChanges(before, now)).toBe('1 more pass; 1 passed then and fail now: a/b#POLL-02');
  expect(describeChanges(now, now)).toBeUndefined();
});
