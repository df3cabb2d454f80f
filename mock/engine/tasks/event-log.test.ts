import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventLog } from './event-log.js';

const event = (id: string) => ({ id, name: 'tool_call' as const, payload: {} });

describe('EventLog', () => {
  it('assigns strictly increasing integers even if time stops or goes back', () => {
    const log = new EventLog(100);
    const stamps = [1000, 1000, 1000, 500, 2000, 1999].map(
      (now, i) => log.append(event(`e${i}`), now).timestamp,
    );
    expect(stamps).toEqual([1000, 1001, 1002, 1003, 2000, 2001]);
  });

  it('reads the events strictly after event_t, the same on every read, like a filter over all events', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 60 }), fc.nat(100), (steps, event_t) => {
        const log = new EventLog(1000);
        let now = 1;
        steps.forEach((step, i) => {
          now += step;
          log.append(event(`e${i}`), now);
        });
        const expected = log.list().filter((each) => each.timestamp > event_t);
        expect(log.listAfter(event_t)).toEqual(expected);
        expect(log.listAfter(event_t)).toEqual(expected);
        expect(log.listAfter(0)).toEqual(log.list());
      }),
      { seed: 1 },
    );
  });

  it('loses and repeats no event if each read continues from the last event of the previous read', () => {
    const log = new EventLog(1000);
    const seen: string[] = [];
    let cursor = 0;
    for (let i = 0; i < 50; i++) {
      log.append(event(`e${i}`), 1000 + (i >> 2));
      if (i % 3 !== 0) continue;
      for (const each of log.listAfter(cursor)) {
        seen.push(each.id);
        cursor = each.timestamp;
      }
    }
    for (const each of log.listAfter(cursor)) seen.push(each.id);
    expect(seen).toEqual(log.list().map((each) => each.id));
  });

  it('finds events that a scripted fault appended out of order', () => {
    const log = new EventLog(100);
    log.append(event('a'), 1000);
    log.append(event('b'), 2000);
    log.append(event('late'), 2000, 1500);
    expect(log.listAfter(1400).map((each) => each.id)).toEqual(['b', 'late']);
    expect(log.listAfter(1600).map((each) => each.id)).toEqual(['b']);
    expect(log.last).toBe(2000);
  });

  it('drops the oldest events beyond its limit', () => {
    const log = new EventLog(80);
    for (let i = 0; i < 1000; i++) log.append(event(`e${i}`), i + 1);
    expect(log.length).toBeLessThanOrEqual(90);
    expect(log.length + log.dropped).toBe(1000);
    expect(log.listAfter(0).at(-1)?.id).toBe('e999');
  });
});
