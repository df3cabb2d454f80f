import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../../mock/network/tracer.js';
import type { NetworkRule, Scenario } from '../../../scenarios/format/types.js';
import { applyDeviations, describeDeviation } from '../schedule/schedule.js';
import type { Deviation, Schedule } from '../types.js';
import { minimizeSchedule } from './minimize-schedule.js';

const scenario = {
  name: 's',
  title: 'S',
  timeline: [
    { service: 'tool_call', id: 'ask', tool: 't' },
    { client: 'reply', to: 'ask' },
    { service: 'finish', id: 'finish' },
  ],
} as unknown as Scenario;

const poll = (n: number): TraceEntry[] => {
  const about = { at: 0, name: `poll#${n}`, kind: 'poll', seq: n } as const;
  return [
    { ...about, what: 'arrive', of: { poll: n }, skip: 0, task: 1 },
    { ...about, what: 'response', status: 202, events: [] },
  ];
};
const step = (id: string): TraceEntry => ({ at: 0, what: 'step', name: id, step: id, task: 'x' });
const reply: TraceEntry = {
  at: 0,
  what: 'arrive',
  name: 'reply ask#1',
  kind: 'reply',
  of: { reply: 'ask' },
  skip: 0,
  task: 1,
  seq: 9,
};
/** Three polls that learn nothing, a call, the poll that brings it, the reply, one more poll. */
const trace = [
  ...poll(1),
  ...poll(2),
  ...poll(3),
  step('ask'),
  ...poll(4),
  reply,
  ...poll(5),
  step('finish'),
];

/** The rules, and where they stand, of what is left when everything shows it but those in `unseen`. */
async function namedAs(
  rule: NetworkRule,
  at: string,
  unseen: (deviation: Deviation) => boolean = () => false,
) {
  const schedule: Schedule = { scenario, deviations: [{ kind: 'hold-response', rule, at }] };
  // No runs are left for making it smaller.
  const found = await minimizeSchedule(
    schedule,
    async ({ deviations }) => !unseen(deviations[0]!),
    0,
    () => trace,
  );
  const [{ rule: left, behind }] = found.deviations as [Deviation];
  return [left, behind?.place];
}

describe('polls of a failure', () => {
  const lost: NetworkRule = { network: 'drop', of: { poll: 4 }, side: 'response' };

  it('are named by the preceding step of the service or client', async () => {
    expect(await namedAs(lost, 'poll#4')).toEqual([{ ...lost, of: { poll: true } }, 0]);
    expect(await namedAs({ ...lost, of: { poll: 5 } }, 'poll#5')).toEqual([
      { ...lost, of: { poll: true } },
      1,
    ]);
  });

  it('are unchanged if the other name does not reproduce the failure, or without a preceding step', async () => {
    expect(await namedAs(lost, 'poll#4', ({ behind }) => behind !== undefined)).toEqual([lost, undefined]);
    const third: NetworkRule = { ...lost, of: { poll: 3 } };
    expect(await namedAs(third, 'poll#3')).toEqual([third, undefined]);
  });

  it('are unchanged if every run has them', async () => {
    const second: NetworkRule = { ...lost, of: { poll: 2 } };
    expect(await namedAs(second, 'poll#2')).toEqual([second, undefined]);
  });

  it('need no name if the first response with events reproduces the failure', async () => {
    const again: NetworkRule = { network: 'redeliver', of: { poll: 5 } };
    const any = { network: 'redeliver', of: { poll: true } };
    expect(await namedAs(again, 'poll#5')).toEqual([any, undefined]);
    expect(await namedAs(again, 'poll#5', ({ behind }) => behind === undefined)).toEqual([any, 1]);
  });

  it('that are awaited are the next one', async () => {
    const rule: NetworkRule = { network: 'hold', of: { step: 'finish' }, until: { arrive: { poll: 5 } } };
    const next = { ...rule, until: { arrive: { poll: true } } };
    expect(await namedAs(rule, 'step finish')).toEqual([next, undefined]);
  });
});

describe('a deviation after a step', () => {
  const rule: NetworkRule = { network: 'drop', of: { poll: true }, side: 'response' };
  const deviation: Deviation = {
    kind: 'response-lost',
    rule,
    at: 'poll#5',
    behind: { place: 1, words: 'the reply to ask' },
  };

  it('is at that position of the timeline, the others at the beginning', () => {
    const first: Deviation = {
      kind: 'limited',
      rule: { network: 'fail', of: { poll: 1 }, status: 429 },
      at: 'poll#1',
    };
    const { timeline } = applyDeviations({ scenario, deviations: [deviation, first] });
    expect(timeline.map((each) => ('network' in each ? each.id : Object.values(each)[0]))).toEqual([
      'd2',
      'tool_call',
      'reply',
      'd1',
      'finish',
    ]);
  });

  it('is described with the step', () => {
    expect(describeDeviation(deviation)).toBe('drop response of poll, the first after the reply to ask');
  });
});
