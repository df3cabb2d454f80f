import { expect, it } from 'vitest';
import type { TraceEntry } from '../../../mock/network/tracer.js';
import { createScenario } from '../../../test/support/report/searches.js';
import { PromisingSchedules, StateCoverage } from './state-coverage.js';

const schedule = { scenario: createScenario('mine'), deviations: [] };
const at = 0;
const arrive = (name: string, seq: number): TraceEntry => {
  const kind = name.startsWith('poll') ? 'poll' : 'reply';
  return { at, what: 'arrive', name, kind, of: {}, skip: 0, task: 1, seq };
};
const answer = (name: string, seq: number, status = 202, events: string[] = []): TraceEntry => {
  const kind = name.startsWith('poll') ? 'poll' : 'reply';
  return { at, what: 'response', name, kind, status, events, seq };
};
const call: TraceEntry = { at, what: 'step', name: 'tool_call c1', step: 'c1', task: 't1' };

it('a run that reaches a state for the first time is promising, with the place of that state', () => {
  const states = new StateCoverage();
  const first = [arrive('poll#1', 1), answer('poll#1', 1), call, arrive('poll#2', 2)];
  expect(states.add(schedule, first)).toMatchObject({ at: 'poll#1' });
  expect(states.add(schedule, first)).toBeUndefined();
  const more = [...first, answer('poll#2', 2, 202, ['c1']), arrive('reply c1#1', 3)];
  expect(states.add(schedule, more)).toEqual({ schedule, trace: more, states: 2, at: 'poll#2' });
});

it('an empty poll changes no state; the same events in a poll with another number are the same state', () => {
  const states = new StateCoverage();
  states.add(schedule, [arrive('poll#1', 1), answer('poll#1', 1), call, answer('poll#2', 2, 202, ['c1'])]);
  states.add(schedule, [arrive('poll#1', 1), answer('poll#1', 1), call, arrive('poll#2', 2)]);
  const again = [arrive('poll#1', 1), answer('poll#1', 1), arrive('poll#2', 2), answer('poll#2', 2), call];
  expect(states.add(schedule, again)).toBeUndefined();
  const early = [arrive('poll#1', 1), call, answer('poll#1', 1), arrive('poll#2', 2)];
  expect(states.add(schedule, early)).toBeUndefined();
});

it('the same request in another scenario is another state', () => {
  const states = new StateCoverage();
  states.add(schedule, [arrive('poll#1', 1)]);
  const other = { scenario: createScenario('other'), deviations: [] };
  expect(states.add(other, [arrive('poll#1', 1)])).toMatchObject({ states: 1 });
});

it('of many promising schedules those with the most new states are kept, in the order of discovery', () => {
  const promising = new PromisingSchedules();
  const count = 5000;
  for (let number = 0; number < count; number++)
    promising.add({ schedule, trace: [], states: number < 3 ? 9 : 1, at: String(number) });
  promising.add({ schedule, trace: [], states: 20, at: 'last' });
  const kept = promising.list();
  expect(kept.slice(0, 5).map(({ at }) => at)).toEqual(['last', '0', '1', '2', '3']);
  expect(kept.length).toBeLessThan(count / 2);
});
