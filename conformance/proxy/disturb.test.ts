import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../spec/vocabulary.js';
import { closeAll, send, startProxy, startService } from '../../test/support/proxy/servers.js';

afterEach(closeAll);

const RUNNING = JSON.stringify({ r: { id: 't1', status: 'running', live_url: 'http://live.example' } });

/** A service that answers everything, and says what reached it. */
async function startAnswering(headers: Record<string, string> = {}, body: string | Buffer = RUNNING) {
  const reached: string[] = [];
  const url = await startService((request, response) => {
    reached.push(`${request.method} ${request.url!.replace('/api/v1', '')}`);
    response
      .writeHead(request.method === 'POST' ? 200 : 202, { 'content-type': 'application/json', ...headers })
      .end(body);
  });
  return { reached, url };
}

const CREATE = {
  method: 'POST',
  body: '{"task":"Find tea"}',
  headers: { apikey: 'k', 'content-type': 'application/json' },
};
const poll = (url: string, task = 't1') =>
  send(`${url}/api/v1/task/${task}?event_t=0`, { headers: { apikey: 'k' } });
const create = (url: string) => send(`${url}/api/v1/task`, CREATE);

describe('network rules of a proxy', () => {
  it.each<[rule: string, status: number, reached: number, upstream: number[]]>([
    ['fail 503 of poll', 503, 0, []],
    ['fail 503 of poll side response', 503, 1, [202]],
    ['garble of poll', 502, 1, [202]],
    ['quota 1 per 1m of poll', 429, 1, []],
    ['duplicate of poll', 202, 2, [202, 202]],
    ['delay 5ms of poll', 202, 1, [202]],
  ])('%s', async (rule, status, reached, upstream) => {
    const service = await startAnswering();
    const seen: Exchange[] = [];
    const { url } = await startProxy(service.url, { network: rule, onExchange: (each) => seen.push(each) });
    if (rule.startsWith('quota')) await poll(url);
    expect((await poll(url)).status).toBe(status);
    expect(service.reached).toHaveLength(reached);
    const { response, network, upstream: sent = [] } = seen.at(-1)!;
    expect(response!.status).toBe(status);
    expect(network!.length).toBeGreaterThan(0);
    expect(sent.map((each) => each.response!.status)).toEqual(upstream);
    for (const each of sent) expect(each.response!.body).toBe(RUNNING);
  });

  it('drop a request before the service has it, or its response afterwards', async () => {
    const service = await startAnswering();
    const seen: Exchange[] = [];
    const network = 'drop of create times 1; drop of poll times 1 side response';
    const { url } = await startProxy(service.url, { network, onExchange: (each) => seen.push(each) });
    await expect(create(url)).rejects.toThrow(/hang up|reset/);
    expect(service.reached).toEqual([]);
    expect((await create(url)).status).toBe(200);
    await expect(poll(url)).rejects.toThrow(/hang up|reset/);
    expect(service.reached).toEqual(['POST /task', 'GET /task/t1?event_t=0']);
    expect(seen.map(({ response, upstream }) => [response?.status, upstream?.length])).toEqual([
      [undefined, undefined],
      [200, undefined],
      [undefined, 1],
    ]);
  });

  it('hold a poll until its gate is opened, and do not hold others', async () => {
    const service = await startAnswering();
    const { proxy, url } = await startProxy(service.url, { network: 'hold of poll 1 until gate go' });
    await create(url);
    const held = poll(url).then(({ status }) => `held ${status}`);
    // The second poll of the same task is none of its business; the other poll has come by then.
    expect((await poll(url)).status).toBe(202);
    expect(proxy.gates()).toMatchObject([{ held: [{ gate: 'go', requests: 1 }] }]);
    const isHeld = await Promise.race([held, Promise.resolve('waits')]);
    expect(isHeld).toBe('waits');
    proxy.openGate('go');
    expect(await held).toBe('held 202');
  });

  it('reorder responses', async () => {
    const service = await startAnswering();
    const { url } = await startProxy(service.url, { network: 'reorder of poll 1' });
    await create(url);
    const order: number[] = [];
    const first = poll(url).then(() => order.push(1));
    await expect.poll(() => service.reached.length).toBe(2);
    await poll(url).then(() => order.push(2));
    await first;
    expect(order).toEqual([2, 1]);
  });

  it('throttle and truncate a compressed body, which arrives decoded then', async () => {
    const service = await startAnswering({ 'content-encoding': 'gzip' }, gzipSync(RUNNING));
    const { proxy, url } = await startProxy(service.url, { network: 'throttle 100000 of poll' });
    const slow = await poll(url);
    expect(slow.body.toString()).toBe(RUNNING);
    expect(slow.headers.join()).not.toContain('content-encoding');
    await proxy.network.set('truncate 10 of poll');
    await expect(poll(url)).rejects.toThrow(/aborted/);
    await proxy.network.set('delay 1ms of poll');
    const delayed = await poll(url);
    expect(delayed.body).toEqual(gzipSync(RUNNING));
  });

  it('compress a plain body for a client that accepts it', async () => {
    const service = await startAnswering({ 'X-Served-By': 'one' });
    const { url } = await startProxy(service.url, { network: 'compress of poll' });
    const headers = { apikey: 'k', 'accept-encoding': 'gzip' };
    const { body } = await send(`${url}/api/v1/task/t1`, { headers });
    expect(gunzipSync(body).toString()).toBe(RUNNING);
    // Another client gets the response as the service sent it.
    const plain = await poll(url);
    expect(plain.body.toString()).toBe(RUNNING);
    expect(plain.headers).toContain('X-Served-By');
  });

  it('do not change requests outside of the API', async () => {
    const service = await startAnswering();
    const { url } = await startProxy(service.url, { network: 'fail 503' });
    expect((await send(`${url}/live/t1`)).status).toBe(202);
    expect((await poll(url)).status).toBe(503);
  });

  it('are set and read by the admin API, as on a mock', async () => {
    const service = await startAnswering();
    const { url } = await startProxy(service.url);
    const admin = async (method: string, path: string, body?: string) =>
      JSON.parse((await send(`${url}/__admin${path}`, { method, ...(body && { body }) })).body.toString());
    await poll(url);
    await admin('PUT', '/network', 'fail 503 of poll times 1');
    expect((await poll(url)).status).toBe(503);
    const { network } = await admin('GET', '/network');
    expect(network[0].rules[0]).toMatchObject({ fired: 1, state: 'spent' });
    expect((await admin('GET', '/journal?kind=poll')).exchanges).toHaveLength(2);
    expect((await admin('GET', '/health')).target).toBe(service.url);
    expect((await admin('GET', '/findings')).findings).toEqual(expect.any(Array));
    expect((await admin('GET', '/clock')).detail).toMatch(/nothing at/);
    expect(service.reached).toHaveLength(1);
  });
});
