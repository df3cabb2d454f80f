import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../../spec/vocabulary.js';
import type { ApiResponse } from '../http-client/response.js';
import { type CaseRun, TestContext } from '../test-case/test-context.js';
import { readAround } from './polling.js';

const MANY = 2000;

describe('reads around an event', () => {
  it('process each listed event only a few times, for any number of events', async () => {
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
    const response = {
      status: 202,
      text: '',
      headers: {},
      ok: true,
      seq: 1,
      at: 0,
      operation: 'getTask',
    } as const;
    const broken: string[] = [];
    const client = {
      send: async (_: string, { query }: { query: { event_t?: number } }): Promise<ApiResponse> => {
        const r = {
          status: 'running',
          events: events.filter(({ timestamp }) => timestamp > (query.event_t ?? 0)),
        };
        return { ...response, r, body: { r } };
      },
    };
    const verdicts = {
      addEvidence() {},
      addFinding: (_: string, message: string) => void broken.push(message),
    };
    const t = new TestContext({ client, verdicts, cleanup: { add() {} } } as unknown as CaseRun);
    const task = t.adoptTask({ ...response, r: {}, body: {} }, 'a');
    await readAround(t, task, events.at(-1)!);
    expect(broken).toEqual([]);
    expect(looks).toBeLessThan(20 * MANY);
  });
});
