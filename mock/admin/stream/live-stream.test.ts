import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../spec/vocabulary.js';
import { startMock } from '../../../test/support/mock/mock.js';
import { summarizeTask } from '../../control/views.js';
import { MANUAL_START_MS } from '../../engine/clock.js';
import { LiveStream, type StreamSource } from './live-stream.js';

async function start() {
  /** What the rules find, by organisation. */
  const found = new Map<string, Finding[]>();
  const mock = await startMock();
  let now = 0;
  const connect = (from = '') => {
    const sent: { event: string; data: Record<string, unknown> }[] = [];
    const source: StreamSource = {
      listOrganisations: () => mock.service.organisations.values(),
      findTask: (organisation, id, before) => {
        const task = organisation.tasks.get(id);
        return task && summarizeTask(task, before);
      },
      listFindings: ({ name }) => structuredClone(found.get(name) ?? []),
    };
    const stream = new LiveStream(source, (event, data) => sent.push({ event, data: data as never }), from);
    const collect = async () => {
      now += 60_000;
      await stream.collect(now);
      return sent.splice(0);
    };
    return { stream, collect };
  };
  return { ...mock, connect, found };
}

const named = (sent: { event: string; data: object }[], event: string) =>
  sent.filter((each) => each.event === event).map(({ data }) => data);

describe('a live stream', () => {
  it('sends exchanges without keys and bodies, tasks, and each change of clock, network and gates once', async () => {
    const { connect, create, poll, control } = await start();
    const { collect } = connect();
    const id = await create({ task: 'Tea?' });
    const first = await collect();
    expect(named(first, 'exchange')).toMatchObject([{ seq: 1, kind: 'create', task: id, status: 200 }]);
    expect(named(first, 'task')).toMatchObject([{ id, title: 'Tea?', status: 'running' }]);
    expect(first.map(({ event }) => event)).toEqual(['exchange', 'task', 'clock', 'key', 'network', 'gates']);
    expect(await collect()).toEqual([]);
    await control.clock.set({ advance: '1h' }, 'a');
    expect(named(await collect(), 'task')).toMatchObject([{ id, status: 'done' }]);
    await control.clock.set({ advance: 1 }, 'a');
    expect(await collect()).toMatchObject([{ event: 'clock', data: { now: MANUAL_START_MS + 3_600_001 } }]);
    await poll(id);
    await control.network.set('delay 1s of poll', 'a');
    const later = await collect();
    expect(named(later, 'exchange')).toMatchObject([{ seq: 2, kind: 'poll' }]);
    expect(named(later, 'network')).toMatchObject([{ organisation: 'org-1', rules: [{ id: 'rule-1' }] }]);
    expect(JSON.stringify(first)).not.toContain('apikey');
  });

  it('sends an exchange that is under way, and again when it is over', async () => {
    const { connect, create, poll, control } = await start();
    const id = await create({ task: 'Tea?' });
    await control.network.set('delay 1s of poll', 'a');
    const { collect } = connect();
    await collect();
    const held = poll(id);
    const [under] = named(await collect(), 'exchange');
    expect(under).toMatchObject({ seq: 2 });
    expect(under).not.toHaveProperty('status');
    expect(named(await collect(), 'exchange')).toEqual([]);
    await control.clock.set({ advance: '2s' }, 'a');
    await held;
    expect(named(await collect(), 'exchange')).toMatchObject([{ seq: 2, status: 202 }]);
  });

  it('continues at a position, and reports a reset', async () => {
    const { connect, create, poll, control } = await start();
    const id = await create({ task: 'Tea?' });
    const one = connect();
    await one.collect();
    const { position } = one.stream;
    await poll(id);
    expect(named(await connect(position).collect(), 'exchange')).toMatchObject([{ seq: 2 }]);
    expect(named(await connect('nonsense').collect(), 'exchange')).toHaveLength(2);
    await one.collect();
    control.reset('a');
    expect(await one.collect()).toEqual([{ event: 'reset', data: { organisation: 'org-1' } }]);
    await create({ task: 'Again' });
    const after = await one.collect();
    expect(named(after, 'exchange')).toMatchObject([{ seq: 1, kind: 'create' }]);
  });

  it('reports a reset after a restart, also if the new mock has more exchanges under the same key', async () => {
    const before = await start();
    await before.create({ task: 'Tea?' });
    const { stream, collect } = before.connect();
    await collect();
    const restarted = await start();
    for (const task of ['Tea?', 'Coffee?']) await restarted.create({ task });
    const after = await restarted.connect(stream.position).collect();
    expect(after[0]).toEqual({ event: 'reset', data: { organisation: 'org-1' } });
    expect(named(after, 'exchange')).toMatchObject([{ seq: 1 }, { seq: 2 }]);
    // A number alone is continued as long as there are enough exchanges.
    expect(named(await restarted.connect('org-1:1').collect(), 'exchange')).toMatchObject([{ seq: 2 }]);
  });

  it('sends a finding that grows with the same id, one that no longer holds as withdrawn, and each organisation its own', async () => {
    const { connect, create, poll, found } = await start();
    const { collect } = connect();
    const task = await create({ task: 'Tea?' });
    const paced = (message: string, ...evidence: number[]): Finding => {
      return {
        rule: 'polling/pace',
        requirement: 'POLL-09',
        side: 'client',
        level: 'advice',
        ...{ message, evidence, task },
      };
    };
    found.set('org-1', [
      paced('5 polls', 2, 3),
      paced('another subject', 2),
      { ...paced('x', 2), rule: 'polling/one-more' },
    ]);
    const first = named(await collect(), 'finding') as { id: string; message: string }[];
    expect(new Set(first.map(({ id }) => id)).size).toBe(3);
    expect(first).toMatchObject([{ organisation: 'org-1', message: '5 polls' }, {}, {}]);
    await poll(task);
    found.set('org-1', [paced('6 polls', 2, 3, 4), paced('another subject', 2)]);
    const next = await collect();
    expect(named(next, 'finding')).toEqual([
      { ...paced('6 polls', 2, 3, 4), organisation: 'org-1', id: first[0]!.id },
    ]);
    expect(named(next, 'withdrawn')).toEqual([{ organisation: 'org-1', id: first[2]!.id }]);
    // Another organisation may have an equal finding.
    await create({ task: 'Tea?' }, 'b');
    found.set('org-2', [paced('6 polls', 2, 3, 4)]);
    expect(named(await collect(), 'finding')).toMatchObject([{ organisation: 'org-2', id: first[0]!.id }]);
    await poll(task);
    expect((await collect()).filter(({ event }) => /finding|withdrawn/.test(event))).toEqual([]);
  });

  it('sends many in batches; beyond the limit drops the oldest, exchanges of tasks first', async () => {
    const { connect, service, create } = await start();
    const id = await create({ task: 'Tea?' });
    const get = (url: string, times: number) =>
      Promise.all(
        Array.from({ length: times }, () =>
          service.pipeline.handle({
            method: 'GET',
            url,
            headers: { apikey: 'a' },
            body: null,
            loopback: true,
          }),
        ),
      );
    await get('/api/v1/usage', 2000);
    await get(`/api/v1/task/${id}`, 199);
    await get('/api/v1/task/none', 100);
    const { collect, stream } = connect();
    const first = await collect();
    expect(named(first, 'dropped')).toEqual([{ organisation: 'org-1', exchanges: 300, others: 100 }]);
    expect(named(first, 'task')).toMatchObject([{ id, polls: 199 }]);
    expect(named(first, 'exchange')).toHaveLength(250);
    expect(stream.position).toMatch(/^org-1:351:/);
    const rest: Awaited<ReturnType<typeof collect>> = [];
    for (let n = 0; n < 7; n++) rest.push(...(await collect()));
    const seqs = Array.from({ length: 1650 }, (_, n) => 352 + n);
    expect(rest.map(({ data }) => data['seq'])).toEqual([
      ...seqs,
      ...seqs.slice(0, 100).map((n) => n + 1849),
    ]);
    expect(await collect()).toEqual([]);
    expect(stream.position).toMatch(/^org-1:2300:/);
  });
});
