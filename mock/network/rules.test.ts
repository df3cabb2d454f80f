import { describe, expect, it } from 'vitest';
import type { NetworkRule } from '../../scenarios/format/types.js';
import { createRig, readNotes } from '../../test/support/network/rig.js';

/** The numbers of the polls, from 1, that the rule fails. */
function failedPolls(rule: Partial<NetworkRule>, count = 6, seed?: string): number[] {
  const rig = createRig(
    [{ network: 'fail', status: 500, of: { poll: true }, ...rule } as NetworkRule],
    seed === undefined ? {} : { seed },
  );
  const task = rig.start();
  const failed: number[] = [];
  for (let n = 1; n <= count; n++) if (rig.poll(task).response?.status === 500) failed.push(n);
  return failed;
}

describe('which requests', () => {
  it('all of a kind, without end', () => {
    expect(failedPolls({})).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('the first so many', () => {
    expect(failedPolls({ times: 2 })).toEqual([1, 2]);
  });

  it('not the first so many', () => {
    expect(failedPolls({ skip: 4 })).toEqual([5, 6]);
    expect(failedPolls({ skip: 1, times: 2 })).toEqual([2, 3]);
  });

  it('the n-th request, counting requests that no rule affected', () => {
    expect(failedPolls({ of: { poll: 3 } })).toEqual([3]);
    const rig = createRig([
      { network: 'drop', of: { poll: 1 } },
      { network: 'fail', status: 503, of: { poll: 2 } },
      { network: 'duplicate', of: { poll: 3 } },
      { network: 'garble', of: { poll: 4 } },
    ]);
    const task = rig.start();
    const done = [1, 2, 3, 4].map(() => readNotes(rig.poll(task))[0]);
    expect(done[0]).toBe('request dropped');
    expect(done[1]).toBe('failed with 503');
    expect(done[2]).toBe('handled twice');
    expect(done[3]).toContain('not JSON');
  });

  it('the n-th poll of each task, and the n-th create of the organisation', () => {
    const rig = createRig([
      { network: 'fail', status: 500, of: { poll: 2 } },
      { network: 'fail', status: 503, of: { create: 3 } },
    ]);
    const [one, two] = [rig.start(), rig.start()];
    const statuses = [rig.poll(one), rig.poll(two), rig.poll(one), rig.poll(two)].map(
      (s) => s.response?.status,
    );
    expect(statuses).toEqual([202, 202, 500, 500]);
    expect(rig.send('POST', '/task', { task: null }).response?.status).toBe(503);
    expect(rig.send('POST', '/task', { task: null }).response?.status).toBe(200);
  });

  it('counts polls that passed while no rule was set', () => {
    const rig = createRig();
    rig.network.clear();
    const task = rig.start();
    expect(rig.network.isIdle).toBe(true);
    rig.poll(task);
    rig.poll(task);
    rig.network.set([{ network: 'fail', status: 500, of: { poll: 3 } }]);
    expect(rig.poll(task).response?.status).toBe(500);
    expect(rig.poll(task).response?.status).toBe(202);
  });

  it('the n-th cancel of a task', () => {
    const rig = createRig([{ network: 'fail', status: 503, of: { cancel: 1 } }]);
    const task = rig.start();
    expect(rig.send('DELETE', `/task/${task.id}`).response?.status).toBe(503);
    expect(rig.send('DELETE', `/task/${task.id}`).response?.status).toBe(200);
  });

  it('by chance, the same for the same seed', () => {
    const first = failedPolls({ probability: 0.5 }, 60, 'a');
    expect(first.length).toBeGreaterThan(10);
    expect(first.length).toBeLessThan(50);
    expect(failedPolls({ probability: 0.5 }, 60, 'a')).toEqual(first);
    expect(failedPolls({ probability: 0.5 }, 60, 'b')).not.toEqual(first);
    expect(failedPolls({ probability: 0 })).toEqual([]);
    expect(failedPolls({ probability: 1 })).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('by chance, independent of other tasks', () => {
    const failed = (others: number) => {
      const rig = createRig([{ network: 'fail', status: 500, probability: 0.5, of: { poll: true } }]);
      const task = rig.start();
      const other = rig.start();
      return Array.from({ length: 30 }, () => {
        for (let i = 0; i < others; i++) rig.poll(other);
        return rig.poll(task).response?.status;
      });
    };
    expect(failed(3)).toEqual(failed(0));
  });

  it('does not change the random numbers of tasks', () => {
    const ids = (rules: NetworkRule[]) => {
      const rig = createRig(rules);
      const task = rig.start();
      for (let i = 0; i < 5; i++) rig.poll(task);
      return [task.id, rig.start().id];
    };
    expect(ids([{ network: 'truncate', probability: 0.5, of: { poll: true } }])).toEqual(ids([]));
  });

  it('until its time is over', async () => {
    const rig = createRig([{ network: 'fail', status: 500, expires_ms: 1000, of: { poll: true } }]);
    const task = rig.start();
    await rig.advance(999);
    expect(rig.poll(task).response?.status).toBe(500);
    expect(rig.network.list()[1]?.state).toBe('live');
    await rig.advance(1);
    expect(rig.poll(task).response?.status).toBe(202);
    expect(rig.network.list()[1]).toMatchObject({ state: 'expired', fired: 1 });
  });
});

describe('the list', () => {
  it('shows which rules fired, passed, and were not triggered', () => {
    const rig = createRig([
      { network: 'fail', status: 500, times: 1, of: { poll: true } },
      { network: 'drop', of: { cancel: true } },
    ]);
    const task = rig.start();
    rig.poll(task);
    rig.poll(task);
    expect(rig.network.list().slice(1)).toEqual([
      expect.objectContaining({ id: 'rule-2', state: 'spent', fired: 1, passed: 1, waiting: 0, gave_up: 0 }),
      expect.objectContaining({ id: 'rule-3', state: 'live', fired: 0, passed: 0, waiting: 0, gave_up: 0 }),
    ]);
  });

  it('removes a rule by its id, and all rules', () => {
    const rig = createRig();
    rig.network.set([
      { network: 'drop', id: 'lost', of: { poll: true } },
      { network: 'garble', of: { poll: true } },
    ]);
    rig.network.clear('lost');
    expect(rig.network.list().map((rule) => rule.id)).toEqual(['rule-2']);
    rig.network.clear();
    expect(rig.network.list()).toEqual([]);
    expect(rig.network.isIdle).toBe(true);
  });

  it('adds rules under unique names', () => {
    const rig = createRig();
    rig.network.set([{ network: 'drop', id: 'rule-2', of: { poll: true } }]);
    rig.network.add([{ network: 'garble' }, { network: 'garble' }]);
    expect(rig.network.list().map((rule) => rule.id)).toEqual(['rule-2', 'rule-3', 'rule-4']);
  });
});
