import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../../test/support/explore/scenarios.js';
import { parseTrace } from '../../../test/support/explore/traces.js';
import type { RunTimeLabel } from '../../service/runner/result.js';
import { canonicalizeOrder, findDifference } from './run-order.js';
import { readTrace } from './traced-run.js';

const BEGIN = ['arrive create#1', 'response create#1 200'];
const CALL = ['service tool_call c1', 'arrive poll#3', 'response poll#3 202 [c1]'];
const vain = (n: number) => [`arrive poll#${n}`, `response poll#${n} 202`];
const schedule = { scenario: parseScenario('- service: finish'), deviations: [] };
const canonical = (...lines: string[]) => canonicalizeOrder(schedule, parseTrace(...lines));

describe('a traced run', () => {
  it('has requests with their outcomes, and steps', () => {
    const { requests, steps } = readTrace(
      parseTrace(...BEGIN, ...CALL, 'arrive reply c1#1', 'response reply c1#1 lost'),
    );
    expect(requests.map(({ name, status, events }) => [name, status, events])).toEqual([
      ['create#1', 200, []],
      ['poll#3', 202, ['c1']],
      ['reply c1#1', 0, []],
    ]);
    expect(steps.map(({ id }) => id)).toEqual(['c1']);
  });

  it('has consecutive empty polls once', () => {
    const { requests } = readTrace(
      parseTrace(...BEGIN, ...vain(1), ...vain(2), ...CALL, ...vain(4), ...vain(5)),
    );
    expect(requests.map(({ name }) => name)).toEqual(['create#1', 'poll#1', 'poll#3', 'poll#4']);
  });

  it('omits requests of a second task: no network step targets them alone', () => {
    const trace = parseTrace(...BEGIN, ...CALL, 'service finish');
    trace.push({ ...trace[3]!, name: 'poll#1 (task 2)', task: 2 } as (typeof trace)[number]);
    trace.push({ at: 0, what: 'step', name: 'finish (task 2)', step: 'finish', task: 'task-2' });
    const { requests, steps } = readTrace(trace);
    expect(requests.map(({ name }) => name)).toEqual(['create#1', 'poll#3']);
    expect(steps).toHaveLength(2);
  });
});

describe('the canonical form', () => {
  it('is independent of the number of empty polls', () => {
    expect(canonical(...BEGIN, ...vain(1), ...vain(2), ...CALL)).toBe(
      canonical(...BEGIN, ...vain(2), ...CALL),
    );
  });

  it('is the same if a step and a response are reordered: they are on different sides', () => {
    const before = canonical(...BEGIN, 'arrive poll#1', 'service tool_call c1', 'response poll#1 202 [c1]');
    const after = canonical(...BEGIN, 'arrive poll#1', 'response poll#1 202 [c1]', 'service tool_call c1');
    expect(after).toBe(before);
  });

  it('differs if a step and an arrival are reordered, or a response is lost', () => {
    const forms = [
      canonical(...BEGIN, 'service tool_call c1', 'arrive poll#1', 'response poll#1 202 [c1]'),
      canonical(...BEGIN, 'arrive poll#1', 'service tool_call c1', 'response poll#1 202 [c1]'),
      canonical(...BEGIN, 'service tool_call c1', 'arrive poll#1', 'response poll#1 lost'),
    ];
    expect(new Set(forms).size).toBe(3);
  });

  it('differs if a response has other events in the same order', () => {
    const trace = parseTrace(...BEGIN, ...CALL);
    const rule = { network: 'garble', of: { poll: 3 } } as const;
    const garbled = { ...schedule, deviations: [{ kind: 'garble' as const, rule, at: 'poll#3' }] };
    expect(canonicalizeOrder(garbled, trace)).not.toBe(canonicalizeOrder(schedule, trace));
  });
});

describe('the second run of a schedule', () => {
  const trace = parseTrace(...BEGIN, ...vain(1), ...vain(2), ...CALL);
  const later = trace.map((entry) => ({ ...entry, at: entry.at + 500 }));

  it('is equal if it began at another time', () => {
    expect(findDifference(schedule, trace, later, 'virtual (in process)')).toBeUndefined();
  });

  it('differs in virtual time by any time, in real time only by relevant events', () => {
    const slower = trace.map((entry, index) => ({ ...entry, at: entry.at + index }));
    expect(findDifference(schedule, trace, slower, 'virtual (Node.js)')?.difference).toBe(
      'line 2 of the trace was "10 ms: response create#1 200" the first time and "11 ms: response create#1 200" the second',
    );
    const fewer = trace.filter(({ what }, index) => what === 'step' || index < 4 || index > 5);
    expect(findDifference(schedule, trace, fewer, 'real')).toBeUndefined();
    expect(findDifference(schedule, trace, parseTrace(...BEGIN, ...CALL), 'real')).toBeUndefined();
    expect(findDifference(schedule, trace, trace.slice(0, -1), 'real')?.difference).toContain(
      '"response poll 202 [c1]" the first time and "unseen:" the second',
    );
  });

  const source = (other: typeof trace, time: RunTimeLabel = 'virtual (in process)') =>
    findDifference(schedule, trace, other, time)?.source;

  it('is described by its first difference, in one line', () => {
    const slower = trace.map((entry, index) => ({ ...entry, at: entry.at + (index < 2 ? 0 : 5) }));
    expect(source(slower)).toMatch(
      /^Where the first run has request poll 1 at 20 ms, the second has request poll 1 at 25 ms: only times change\. .*$/,
    );
    expect(source(trace.slice(0, -1))).toContain(
      'has response to poll 3 202 [c1] at 80 ms, the second has nothing more:',
    );
    expect(source(trace.slice(0, -1), 'real')).toMatch(
      /^Where the first run has response to poll 202 \[c1\], the second has nothing more: in real time .*$/,
    );
  });

  it('has a likely source by the kind of difference', () => {
    const slower = trace.map((entry, index) => ({ ...entry, at: entry.at + index }));
    expect(source(slower)).toContain('The client waits by state from the previous run');
    expect(source([trace[1]!, trace[0]!, ...trace.slice(2)])).toContain('the order changes');
    expect(source(trace.slice(1))).toMatch(/the client decides by .*a variable of its module.*a new process/);
    expect(source(trace.slice(1), 'virtual (Node.js)')).toMatch(/\(a file\), .*not Node\.js\)\.$/);
  });
});
