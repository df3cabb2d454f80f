import { describe, expect, it } from 'vitest';
import type { Step } from '../../scenarios/format/types.js';
import {
  createRig,
  type Rig,
  readEvents,
  readNotes,
  type SentRequest,
} from '../../test/support/network/rig.js';

const call = (n: number, more: Partial<Step> = {}): Step =>
  ({ service: 'tool_call', id: `c${n}`, tool: 'look', input: {}, event_id: `e${n}`, ...more }) as Step;
const LATER: Step = { service: 'finish', after: { time_ms: 3_600_000 } };
const ids = (sent: SentRequest) => readEvents(sent).map(({ id }) => id);
const shown = (sent: SentRequest) => JSON.parse(String(sent.response!.body)).r;
const fired = (rig: Rig) => rig.network.list().find((rule) => rule.task !== undefined)?.fired;

describe('redeliver', () => {
  it('lists events that the client has received, once there are any', () => {
    const rig = createRig();
    const task = rig.start([
      { network: 'redeliver', of: { poll: true } },
      call(1),
      call(2, { after: { polls: 2 } }),
      LATER,
    ]);
    expect(ids(rig.poll(task))).toEqual(['e1']);
    expect(fired(rig)).toBe(0);
    const again = rig.poll(task, task.log.last);
    expect(ids(again)).toEqual(['e1']);
    expect(readNotes(again)).toEqual(['response with all events from the beginning']);
    expect(fired(rig)).toBe(1);
    expect(ids(rig.poll(task, task.log.list()[0]!.timestamp))).toEqual(['e2']);
  });

  it('puts the old events before the new ones', () => {
    const rig = createRig();
    const task = rig.start([
      { network: 'redeliver', of: { poll: 2 } },
      call(1),
      call(2, { after: { polls: 1 } }),
      LATER,
    ]);
    const [first] = readEvents(rig.poll(task));
    expect(ids(rig.poll(task, first!.timestamp))).toEqual(['e1', 'e2']);
  });

  it('lists the first events only, also where newer ones were listed since', () => {
    const rig = createRig();
    const task = rig.start([{ network: 'redeliver', first: 1, of: { poll: 2 } }, call(1), call(2), LATER]);
    expect(ids(rig.poll(task))).toEqual(['e1', 'e2']);
    const again = rig.poll(task, task.log.last);
    expect(ids(again)).toEqual(['e1']);
    expect(readNotes(again)).toEqual(['response with the first 1 events again']);
  });

  it('does not fire for a client that reads everything anyway', () => {
    const rig = createRig();
    const task = rig.start([{ network: 'redeliver', of: { poll: 2 } }, call(1), LATER]);
    rig.poll(task);
    rig.poll(task);
    expect(fired(rig)).toBe(0);
  });
});

describe('repeat and shuffle', () => {
  it('wait for a response with events', () => {
    const rig = createRig();
    const later = call(1, { after: { polls: 1 } });
    const task = rig.start([{ network: 'repeat', of: { poll: true } }, later, LATER]);
    expect(ids(rig.poll(task))).toEqual([]);
    expect(fired(rig)).toBe(0);
    expect(ids(rig.poll(task))).toEqual(['e1', 'e1']);
    expect(ids(rig.poll(task))).toEqual(['e1']);
  });

  it('need two events to change their order', () => {
    const rig = createRig();
    const task = rig.start([
      { network: 'shuffle', of: { poll: true } },
      call(1),
      call(2, { after: { polls: 1 } }),
      call(3, { after: { polls: 1 } }),
      LATER,
    ]);
    expect(ids(rig.poll(task))).toEqual(['e1']);
    expect(ids(rig.poll(task))).toEqual(['e2', 'e1']);
    expect(ids(rig.poll(task))).toEqual(['e1', 'e2', 'e3']);
  });

  it('ignore errors and lost responses', () => {
    const rig = createRig([{ network: 'fail', status: 503, of: { poll: 1 } }]);
    const task = rig.start([{ network: 'repeat', of: { poll: true } }, call(1), LATER]);
    expect(rig.poll(task).response?.status).toBe(503);
    expect(ids(rig.poll(task))).toEqual(['e1', 'e1']);
  });
});

describe('reshape', () => {
  it.each([
    ['absent' as const, undefined],
    [null, null],
  ])('says that there are no events with: %s', (events, value) => {
    const rig = createRig();
    const task = rig.start([
      { network: 'reshape', events, of: { poll: true }, times: 9 },
      call(1, { after: { polls: 1 } }),
      LATER,
    ]);
    expect(shown(rig.poll(task)).events).toBe(value);
    expect(ids(rig.poll(task))).toEqual(['e1']);
    expect(fired(rig)).toBe(1);
  });

  it('does not fire if the response already has this form', () => {
    const rig = createRig();
    const task = rig.start([{ network: 'reshape', events: 'empty' }, LATER]);
    expect(shown(rig.poll(task)).events).toEqual([]);
    expect(fired(rig)).toBe(0);
  });

  it('adds unknown fields to the task and to each event', () => {
    const rig = createRig();
    const task = rig.start([
      { network: 'reshape', extra: { mood: 'fine' }, of: { poll: true } },
      call(1),
      LATER,
    ]);
    expect(shown(rig.poll(task))).toMatchObject({
      id: task.id,
      mood: 'fine',
      events: [{ id: 'e1', mood: 'fine' }],
    });
    expect(shown(rig.poll(task)).mood).toBeUndefined();
  });
});
