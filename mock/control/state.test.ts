import { describe, expect, it } from 'vitest';
import { startMock } from '../../test/support/mock/mock.js';
import { Mock } from '../mock.js';

describe('reset and state', () => {
  it('forgets one organisation, or all', async () => {
    const mock = await startMock();
    const [mine, theirs] = [await mock.create({ task: 'x' }, 'a'), await mock.create({ task: 'x' }, 'b')];
    mock.control.reset('a');
    expect((await mock.poll(mine, 0, 'a')).status).toBe(404);
    expect((await mock.poll(theirs, 0, 'b')).status).toBe(202);
    expect(mock.control.health()).toMatchObject({
      status: 'ok',
      seed: 1,
      organisations: 2,
      tasks: 1,
      activeTasks: 1,
    });
    mock.control.reset();
    expect(mock.control.health()).toMatchObject({ organisations: 0, tasks: 0, exchanges: 0, inFlight: 0 });
  });

  it('restores the state, also into a new mock, and does not change other organisations', async () => {
    const mock = await startMock();
    const mine = await mock.create({ task: 'x' }, 'a');
    const theirs = await mock.create({ task: 'x' }, 'b');
    const state = mock.control.snapshot('a');
    expect(state.organisations).toHaveLength(1);
    const all = mock.control.snapshot();
    await mock.control.clock.set({ advance: '1m' });
    await mock.control.restore(state);
    expect((await mock.poll(mine, 0, 'a')).status).toBe(202);
    expect((await mock.poll(theirs, 0, 'b')).status).toBe(200);
    const fresh = await startMock();
    await fresh.control.restore(all);
    expect(JSON.stringify(fresh.control.snapshot())).toBe(JSON.stringify(all));
    expect((await fresh.poll(theirs, 0, 'b')).status).toBe(202);
  });

  it('restores a snapshot from after the data of a finished task were deleted', async () => {
    const mock = await startMock();
    const [kept, deleted] = [await mock.create({ task: 'x' }), await mock.create({ task: 'y' })];
    await mock.control.clock.set({ advance: '1m' });
    expect((await mock.send('DELETE', `/task/${deleted}/data`)).status).toBe(200);
    const fresh = await startMock();
    await fresh.control.restore(mock.control.snapshot());
    expect((await fresh.poll(kept)).status).toBe(200);
    expect((await fresh.poll(deleted)).status).toBe(404);
  });

  it('contains addresses of the mock that restores it, not of the original one', async () => {
    const mock = new Mock({ clock: 'skipping', origin: 'http://one.example' });
    const other = new Mock({ clock: 'skipping', origin: 'http://two.example:81' });
    const headers = { apikey: 'a', 'content-type': 'application/json' };
    await mock.fetch('/api/v1/task', { method: 'POST', headers, body: '{"task":"http://one.example/tea"}' });
    const list = async ({ fetch }: typeof mock) =>
      (await (await fetch('/api/v1/task?l=1', { headers })).json()).r[0];
    const before = await list(mock);
    const state = mock.snapshot();
    await other.restore(state);
    const after = await list(other);
    expect(before.live_url).toMatch(/^http:\/\/one\.example\/live\//);
    expect(after.live_url).toBe(before.live_url.replace('one.example', 'two.example:81'));
    // Text from the client is not changed.
    expect(JSON.stringify(other.snapshot())).toContain('"http://one.example/tea"');
    await mock.restore(state);
    expect(JSON.stringify(mock.snapshot().organisations[0]!.state.tasks)).toBe(
      JSON.stringify(state.organisations[0]!.state.tasks),
    );
    await Promise.all([mock.close(), other.close()]);
  });

  it('contains the start state of later organisations, paused clocks, and scenarios without a file', async () => {
    const mock = await startMock();
    const { control } = mock;
    await control.clock.set({ mode: 'skipping' }, 'a');
    await control.clock.set({ pause: true }, 'a');
    await control.network.set('delay 1s; fail 503 of getUsage');
    control.network.clear(undefined, 'rule-1');
    const timeline = [{ service: 'finish', output: 'mine' }];
    await control.scenarios.add({ name: 'given/mine', title: 'Mine', request: { task: 'x' }, timeline });
    await control.scenarios.queue('given/mine');
    const state = JSON.parse(JSON.stringify(control.snapshot()));
    const fresh = await startMock();
    await fresh.send('GET', '/usage', undefined, 'since');
    await fresh.control.restore(state);
    expect(JSON.stringify(fresh.control.snapshot())).toBe(JSON.stringify(state));
    expect(fresh.control.health().organisations).toBe(1);
    expect(fresh.control.network.forAll()).toMatchObject([{ id: 'rule-2', rule: { network: 'fail' } }]);
    expect((await fresh.send('GET', '/usage', undefined, 'later')).status).toBe(503);
    const id = await fresh.create({ task: 'anything' }, 'later');
    expect(fresh.control.task(id).scenario).toBe('given/mine');
    expect((await fresh.control.clock.set({ pause: false }, 'a'))[0]!.mode).toBe('skipping');
  });

  it('restores nothing at all when one organisation of the state is broken, and names no key', async () => {
    const mock = await startMock();
    await mock.create({ task: 'x' }, 'key-that-is-secret');
    await mock.create({ task: 'x' }, 'b');
    const state = JSON.parse(JSON.stringify(mock.control.snapshot()));
    await mock.control.clock.set({ advance: '1m' });
    const before = JSON.stringify(mock.control.snapshot());
    state.organisations[1].state.account.credits = 'many';
    await expect(mock.control.restore(state)).rejects.toThrow(
      /^organisations\[1\]\.state\.account\.credits: expected a number; found "many"$/,
    );
    expect(JSON.stringify(mock.control.snapshot())).toBe(before);
  });
});
