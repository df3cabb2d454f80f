import { describe, expect, it } from 'vitest';
import { createMock } from './create.js';
import { startMock } from './test-support/mock.js';

describe('what is planned', () => {
  it('does not grow with polls while time stands still', async () => {
    const mock = await startMock();
    const id = await mock.create({ task: 'x' });
    for (let n = 0; n < 50; n++) await mock.poll(id);
    const { schedule } = mock.service.organisations.get('a')!.world;
    expect(schedule.size).toBeLessThanOrEqual(2);
  });

  it('does not grow with polls that do not show the event that an end waits for', async () => {
    const mock = await startMock();
    const session = await mock.create({ task: null });
    await mock.sendEvent(session, { id: 'c', name: 'session_action', payload: { name: 'close' } });
    await mock.control.setClock({ advance: '1s' }, 'a');
    const far = Number.MAX_SAFE_INTEGER;
    for (let n = 0; n < 50; n++) expect((await mock.poll(session, far)).status).toBe(202);
    expect(mock.service.organisations.get('a')!.world.schedule.size).toBeLessThanOrEqual(3);
    await mock.control.setClock({ advance: '30s' }, 'a');
    expect((await mock.poll(session, far)).status).toBe(200);
  });
});

describe('a skipping clock', () => {
  it('goes on with those who waited while a test was busy', async () => {
    const due: (() => void)[] = [];
    const timers = { set: (callback: () => void) => due.push(callback), clear() {} };
    const network = [{ network: 'delay', time_ms: 60_000 } as const];
    const mock = createMock({ clock: 'skipping', network, timers });
    await mock.ready;
    const release = mock.clock.busy('test');
    const usage = mock.fetch('http://mock.test/api/v1/usage', { headers: { apikey: 'test' } });
    await new Promise((resolve) => setImmediate(resolve));
    for (const callback of due.splice(0)) callback();
    expect(mock.admin.health().in_flight).toBe(1);
    release();
    for (const callback of due.splice(0)) callback();
    expect((await usage).status).toBe(200);
  });
});
