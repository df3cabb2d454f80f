import { expect, it } from 'vitest';
import { startMock } from '../../test/support/mock/mock.js';

async function start() {
  const { control } = await startMock({ library: true });
  const call = async (method: string, path: string, body?: string) => {
    const response = await control.fetch(`http://localhost/__admin/scenarios${path}`, {
      method,
      ...(body !== undefined && { body }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what the API responds.
    return { status: response.status, body: (await response.json()) as any };
  };
  const find = async (search: string): Promise<string[]> => {
    const { scenarios } = (await call('GET', `?search=${encodeURIComponent(search)}`)).body;
    return scenarios.map(({ name }: { name: string }) => name);
  };
  return { call, find };
}

it('lists what the next tasks follow, and removes one or all of it', async () => {
  const { call, find } = await start();
  const [one, two, three] = (await find('')) as [string, string, string];
  await call('POST', '/next?key=a', JSON.stringify({ names: [one, two, one] }));
  await call('POST', '/next', JSON.stringify({ name: three }));
  expect((await call('GET', '/next')).body.queues).toEqual([
    { organisation: null, queued: [three] },
    { organisation: 'org-1', queued: [one, two, one, three] },
  ]);
  const removed = await call('DELETE', `/next?key=a&name=${encodeURIComponent(one)}`);
  expect(removed.body.queues).toEqual([{ organisation: 'org-1', queued: [two, one, three] }]);
  expect((await call('DELETE', '/next?key=a&name=none')).status).toBe(404);
  const emptied = await call('DELETE', '/next');
  expect(emptied.body.queues.map(({ queued }: { queued: string[] }) => queued)).toEqual([[], []]);
});

it('finds scenarios by their text and requirements; draws one that is not added', async () => {
  const { call, find } = await start();
  const [all, some, words] = [await find(''), await find('TOOL-10'), await find('lost reply')];
  expect(some.length).toBeGreaterThan(0);
  expect(some.length).toBeLessThan(all.length);
  expect(words.length).toBeGreaterThan(0);
  expect(await find('no such words at all')).toEqual([]);
  const text = 'title: Tea\nrequest: { task: Find tea }\ntimeline: [{ service: finish }]\n';
  expect((await call('POST', '/preview?name=mine', text)).body).toMatchObject({
    name: 'mine',
    title: 'Tea',
    lines: expect.any(Array),
  });
  expect(await find('Find tea')).not.toContain('mine');
  for (const invalid of ['title: 7', ''])
    expect(await call('POST', '/preview', invalid)).toMatchObject({
      status: 422,
      body: { detail: expect.any(String) },
    });
});
