import { availableParallelism } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { real } from '../../../mock/clock/real.js';
import { oneCall } from '../../../test/support/client/scenarios.js';
import { play } from './play.js';
import type { RunTermination } from './processes.js';

const CORES = availableParallelism();

/** Plays a command once more than there are cores. `act` stands for its process, and ends it. */
async function playMany(act: (baseUrl: string, end: () => void) => void): Promise<void> {
  const client = { kind: 'command', command: ['a-client'] } as const;
  const start = (
    _words: unknown,
    env: Readonly<Record<string, string>>,
    onEnd: (end: RunTermination) => void,
  ) => {
    act(env['TASKDOUBLE_BASE_URL']!, () => onEnd({ end: 'by-itself', exitCode: 0 }));
    return { stdout: { text: '' }, stderr: { text: '' }, finish: async () => 0 };
  };
  await Promise.all(Array.from({ length: CORES + 1 }, () => play(oneCall, client, { start })));
}

describe('commands in real time', () => {
  afterEach(() => vi.restoreAllMocks());

  it('start at most one per core at a time', async () => {
    const running = new Set<() => void>();
    let most = 0;
    await playMany((_, end) => {
      running.add(end);
      most = Math.max(most, running.size);
      // The last can only start once another has ended.
      real.setTimeout(() => {
        running.delete(end);
        end();
      }, 50);
    });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(CORES);
  });

  it('count as started after their first request', async () => {
    // Nothing but the request gives a place free.
    vi.spyOn(real, 'setTimeout').mockReturnValue(undefined as never);
    const ends: (() => void)[] = [];
    await playMany((baseUrl, end) => {
      ends.push(end);
      fetch(`${baseUrl}/api/v1/task/unknown`, { headers: { apikey: 'client-1' } }).catch(() => {});
      if (ends.length > CORES) for (const each of ends) each();
    });
    expect(ends.length).toBe(CORES + 1);
  });
});
