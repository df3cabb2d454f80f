import { expect, it } from 'vitest';
import { createAdminCaller } from '../../test/support/admin/call-admin.js';
import { createScenario, startMock } from '../../test/support/mock/mock.js';

/** A scenario in the form of its file: its task is "x", its output is `output`. */
const write = (output: string, name?: string) => ({
  ...(name !== undefined && { name }),
  title: `Gives ${output}`,
  request: { task: 'x' },
  timeline: [{ service: 'finish', output }],
});

async function start() {
  const mock = await startMock({ scenarios: [createScenario('at-start', [{ service: 'finish' }])] });
  const outputOf = async (key: string) =>
    (await mock.poll(await mock.create({ task: 'x' }, key), 0, key)).r.output;
  const callAdmin = createAdminCaller(mock);
  const names = async (query = '') =>
    (await callAdmin('GET', `/scenarios${query}`)).body.scenarios
      .filter(({ from }: { from: string }) => from !== 'library')
      .map(({ name, from, organisation }: Record<string, string>) =>
        [name, from, organisation].filter(Boolean).join(' '),
      );
  return { ...mock, callAdmin, outputOf, names };
}

it.each([
  ['JSON', write('inline')],
  ['a list in JSON', [write('inline')]],
  ['YAML', 'title: T\nrequest: { task: x }\ntimeline:\n  - { service: finish, output: inline }\n'],
])('a scenario as %s is for the next task of its key alone', async (_, body) => {
  const { callAdmin, outputOf, names } = await start();
  const { status, body: queued } = await callAdmin('POST', '/scenarios/next?key=a', body);
  expect([status, queued.queued]).toEqual([200, [expect.stringMatching(/^given\//)]]);
  expect(await outputOf('b')).not.toBe('inline');
  expect(await outputOf('a')).toBe('inline');
  expect(await outputOf('a')).not.toBe('inline');
  expect(await names()).toEqual(['at-start given']);
});

it('a queued scenario has the name that the request gives, and survives a snapshot', async () => {
  const { callAdmin, outputOf, control } = await start();
  const more = { headers: { apikey: 'a' } };
  expect((await callAdmin('POST', '/scenarios/next?name=mine', write('kept'), more)).body).toEqual({
    queued: ['mine'],
  });
  const state = (await callAdmin('GET', '/state')).body;
  expect(await outputOf('a')).toBe('kept');
  expect(control.task(String(control.journal()[0]!.task)).scenario).toBe('mine');
  expect((await callAdmin('PUT', '/state', state)).status).toBe(200);
  expect(await outputOf('a')).toBe('kept');
  expect(await outputOf('a')).not.toBe('kept');
});

it('an invalid choice of the next scenario queues nothing', async () => {
  const { callAdmin, control } = await start();
  for (const [status, path, body] of [
    [422, '/scenarios/next?key=a', { title: 'T', request: { task: 'x' }, timeline: [{ service: 'finsh' }] }],
    [422, '/scenarios/next?key=a', { nmae: 'at-start' }],
    [422, '/scenarios/next?key=a', { name: 'at-strat' }],
    [422, '/scenarios/next?key=a&name=n', { name: 'at-start' }],
    [422, '/scenarios/next?key=a', 'at-start'],
    [400, '/scenarios/next?key=a', undefined],
  ] as const) {
    expect((await callAdmin('POST', path, body)).status, JSON.stringify(body)).toBe(status);
  }
  control.clock.view('a');
  expect(control.snapshot('a').organisations[0]!.state.queued).toEqual([]);
});

it('an added scenario is for one key, or for all', async () => {
  const { callAdmin, outputOf, names } = await start();
  await callAdmin('POST', '/scenarios', write('of all', 'shared'));
  await callAdmin('POST', '/scenarios?key=a', write('of a', 'own'));
  expect([await outputOf('a'), await outputOf('b')]).toEqual(['of a', 'of all']);
  expect(await names()).toEqual(['own added org-1', 'at-start given', 'shared added']);
  expect(await names('?key=b')).toEqual(['at-start given', 'shared added']);
  expect((await callAdmin('GET', '/scenarios/preview?key=a&name=own')).status).toBe(200);
  expect((await callAdmin('GET', '/scenarios/preview?key=b&name=own')).status).toBe(422);
  expect((await callAdmin('POST', '/scenarios/next?key=b', { name: 'own' })).status).toBe(422);
  expect((await callAdmin('POST', '/scenarios/next', { name: 'own' })).status).toBe(422);
  expect((await callAdmin('POST', '/scenarios/next?key=a', { name: 'own' })).status).toBe(200);
});

it('a name that is taken is refused, unless it is to be replaced', async () => {
  const { callAdmin, outputOf } = await start();
  const add = (query: string, output: string, name = 'mine') =>
    callAdmin('POST', `/scenarios${query}`, write(output, name));
  expect((await add('?key=a', 'one')).status).toBe(200);
  expect((await add('?key=b', 'two')).status).toBe(200);
  const refused = await add('?key=a', 'three');
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    'There is a scenario "mine" already: give yours another name, or replace it (?replace=true).',
  ]);
  expect((await add('', 'x', 'at-start')).status).toBe(409);
  expect((await add('?key=a', 'x', 'tool-calls/one-call')).status).toBe(409);
  expect((await callAdmin('POST', '/scenarios', [write('x', 'new'), write('y', 'new')])).status).toBe(409);
  expect(await outputOf('a')).toBe('one');
  expect((await add('?key=a&replace=true', 'four')).status).toBe(200);
  expect([await outputOf('a'), await outputOf('b')]).toEqual(['four', 'two']);
  expect((await add('?replace=yes', 'x')).status).toBe(422);
});

it('added scenarios are removed by name, by key, or all', async () => {
  const { callAdmin, names } = await start();
  const add = (query: string, name: string) => callAdmin('POST', `/scenarios${query}`, write('x', name));
  const remove = async (query: string) => {
    const { status, body } = await callAdmin('DELETE', `/scenarios${query}`);
    return status === 200 ? body.removed : status;
  };
  for (const key of ['a', 'b']) for (const name of ['one', 'two']) await add(`?key=${key}`, name);
  for (const name of ['shared', 'other']) await add('', name);
  expect(await remove('?key=a&name=one')).toEqual(['one']);
  expect(await remove('?key=a&name=one')).toBe(404);
  expect(await remove('?key=a&name=shared')).toBe(404);
  expect(await remove('?name=at-start')).toBe(404);
  expect(await remove('?name=shared')).toEqual(['shared']);
  expect(await remove('?key=a')).toEqual(['two']);
  expect(await names()).toEqual(['one added org-2', 'two added org-2', 'at-start given', 'other added']);
  expect(await remove('')).toEqual(['other', 'one', 'two']);
  expect(await names()).toEqual(['at-start given']);
  await callAdmin('POST', '/scenarios?replace=true', write('x', 'at-start'));
  expect(await names()).toEqual(['at-start added']);
  expect(await remove('?name=at-start')).toEqual(['at-start']);
  expect(await names()).toEqual(['at-start given']);
});

it('a reset removes added scenarios: those of its key, or without a key all', async () => {
  const { callAdmin, names } = await start();
  const add = (query: string, name: string) => callAdmin('POST', `/scenarios${query}`, write('x', name));
  await add('?key=a', 'own');
  await add('?key=b', 'own');
  await add('?replace=true', 'at-start');
  await callAdmin('POST', '/reset?key=a');
  expect(await names()).toEqual(['own added org-2', 'at-start added']);
  await callAdmin('POST', '/scenarios/next', write('queued'));
  await callAdmin('POST', '/reset');
  expect(await names()).toEqual(['at-start given']);
});

it('a state has the scenarios of each key, and can be restored under another key', async () => {
  const { callAdmin, outputOf, names } = await start();
  await callAdmin('POST', '/scenarios?key=a', write('of a', 'own'));
  await callAdmin('POST', '/scenarios', write('of all', 'shared'));
  const whole = (await callAdmin('GET', '/state')).body;
  const one = (await callAdmin('GET', '/state?key=a')).body;
  await callAdmin('POST', '/reset');
  await callAdmin('PUT', '/state', whole);
  expect(await names()).toEqual(['own added org-2', 'at-start given', 'shared added']);
  await callAdmin('POST', '/reset');
  expect((await callAdmin('PUT', '/state?key=b', one)).body).toEqual({ restored: 1 });
  expect(await names()).toEqual(['own added org-3', 'shared added org-3', 'at-start given']);
  expect(await outputOf('b')).toBe('of a');
  whole.organisations.push({ ...whole.organisations[0], key: 'c' });
  expect((await callAdmin('PUT', '/state?key=c', whole)).body).toEqual({ restored: 1 });
  expect((await callAdmin('PUT', '/state?key=d', whole)).status).toBe(422);
  expect((await callAdmin('GET', '/health')).body.organisations).toBe(2);
});

it('a key restricts requests about one task', async () => {
  const { callAdmin, create } = await start();
  const id = await create({ task: 'x' });
  const requests = [
    ['GET', `/tasks/${id}`],
    ['GET', `/tasks/${id}/runs`],
    ['POST', `/tasks/${id}/steps`, { service: 'progress', text: 'y' }],
    ['GET', '/wait', undefined, `&task=${id}&event=nope&timeout=0`],
    ['GET', '/timeline', undefined, `&task=${id}`],
    ['POST', '/gates', { name: 'go', task: id }],
  ] as const;
  for (const [method, path, body, query = ''] of requests) {
    const other = await callAdmin(method, `${path}?key=b${query}`, body);
    expect([other.status, other.body.detail], path).toEqual([404, expect.stringContaining('of this key')]);
    const viaHeader = await callAdmin(method, path + query.replace('&', '?'), body, {
      headers: { apikey: 'b' },
    });
    expect(viaHeader.status, path).toBe(404);
    const own = await callAdmin(method, `${path}?key=a${query}`, body);
    expect(own.body.detail ?? '', path).not.toContain('of this key');
  }
});
