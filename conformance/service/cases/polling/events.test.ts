import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../../../spec/vocabulary.js';
import type { Answer } from '../../http-client/response.js';
import { createPlayer } from '../../scenarios/player.js';
import type { Probing } from '../test-case.js';
import { readAround } from './events.js';

const MANY = 2000;

describe('reads around an event', () => {
  it('look at each listed event a few times only, however many there are', async () => {
    let looks = 0;
    const events: TaskEvent[] = Array.from({ length: MANY }, (_, n) => ({
      get id() {
        looks++;
        return `e${n}`;
      },
      name: 'tool_call',
      payload: { name: 'get_weather', input: {} },
      timestamp: n + 1,
    }));
    const answer = {
      status: 202,
      text: '',
      headers: {},
      ok: true,
      seq: 1,
      at: 0,
      operation: 'getTask',
    } as const;
    const wrong: string[] = [];
    const probing = {
      send: async (_: string, { query }: { query: { event_t?: number } }): Promise<Answer> => {
        const r = {
          status: 'running',
          events: events.filter(({ timestamp }) => timestamp > (query.event_t ?? 0)),
        };
        return { ...answer, r, body: { r } };
      },
      expect(_: string, holds: boolean, message: string) {
        if (!holds) wrong.push(message);
        return holds;
      },
      cleanup() {},
    } as unknown as Probing;
    const task = createPlayer(probing).adopt({ ...answer, r: {}, body: {} }, 'a');
    await readAround(probing, task, events.at(-1)!);
    expect(wrong).toEqual([]);
    expect(looks).toBeLessThan(20 * MANY);
  });
});
