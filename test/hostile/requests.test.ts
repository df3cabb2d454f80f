import { describe, expect, it } from 'vitest';
import { checkErrorResponse, HostileClient, JSON_TYPE } from '../support/mock/hostile-client.js';

/** After each of these the server is asked whether it goes on. */
const client = new HostileClient().install();

describe('a body that is no JSON', () => {
  it.each([
    ['an open object', '{"task":', /Not valid JSON/],
    ['a trailing comma', '{"task":null,}', /Not valid JSON/],
    ['single quotes', "{'task':null}", /Not valid JSON/],
    ['two values', '{} {}', /Not valid JSON/],
    ['NaN', '{"max_steps":NaN}', /Not valid JSON/],
    ['a raw control character', '{"task":"\u0000"}', /Not valid JSON/],
    ['nothing at all', '', /body is empty/],
  ])('%s', async (_, body, words) => {
    checkErrorResponse(await client.post('/task', body), 422, words, ['body']);
  });

  it('is not valid UTF-8', async () => {
    const bytes = Uint8Array.from([...Buffer.from('{"task":"'), 0xc3, 0x28, ...Buffer.from('"}')]);
    checkErrorResponse(await client.post('/task', bytes), 422, /not valid UTF-8/, ['body']);
  });

  it.each([65, 5_000, 400_000])('is nested %d levels deep', async (depth) => {
    const body = `{"task":null,"metadata":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    checkErrorResponse(await client.post('/task', body), 422, /deeper than 64 levels/, ['body']);
  });
});

describe('JSON that does not fit', () => {
  it.each([
    ['a list', '[]', ['body'], /object/],
    ['null', 'null', ['body'], /object/],
    ['a number for the task', '{"task":5}', ['body', 'task'], /string/],
    ['an infinite number', '{"task":"x","max_steps":1e999}', ['body', 'max_steps'], /integer|number|<=/],
    ['too few steps', '{"task":"x","max_steps":1}', ['body', 'max_steps'], />= 2/],
    ['a device that is none', '{"device":"watch"}', ['body', 'device'], /desktop, mobile/],
    [
      'a tool without inputs',
      '{"custom_tools":[{"name":"a","description":"","output":""}]}',
      ['body', 'custom_tools', 0, 'inputs'],
      /required/,
    ],
    ['a tool that is none', '{"custom_tools":[null]}', ['body', 'custom_tools', 0], /object/],
    [
      'two tools of one name',
      `{"custom_tools":[${Array(2).fill('{"name":"a","description":"","inputs":{},"output":""}')}]}`,
      ['body', 'custom_tools', 1, 'name'],
      /twice/,
    ],
    [
      '17 metadata',
      JSON.stringify({ metadata: Object.fromEntries([...'abcdefghijklmnopq'].map((c) => [c, 1])) }),
      ['body', 'metadata'],
      /16/,
    ],
  ])('%s', async (_, body, loc, words) => {
    checkErrorResponse(await client.post('/task', body), 422, words, loc as unknown[]);
  });

  it('names of prototypes change nothing', async () => {
    const body =
      '{"__proto__":{"task":"stolen","polluted":1},"constructor":{"prototype":{"polluted":1}},"task":null}';
    const { status } = await client.post('/task', body);
    expect(status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString', 'call-1'])(
    'an action with the id "%s" gets its result',
    async (id) => {
      const task = await client.createTask({ task: null });
      const event = {
        id,
        name: 'browser_action',
        payload: { name: 'goto', input: { url: 'https://example.com' } },
      };
      expect(await client.post(`/task/${task}/event`, JSON.stringify(event))).toMatchObject({
        status: 200,
        body: { r: { id } },
      });
      expect(await client.pollFirstEvent(task)).toMatchObject({
        id,
        name: 'browser_action',
        payload: { code: 200 },
      });
    },
  );

  it.each([257, 1_000_000])('an id of an event with %d characters', async (length) => {
    const task = await client.createTask({ task: null });
    const id = 'x'.repeat(length);
    const event = { id, name: 'session_action', payload: { name: 'close' } };
    const send = () => client.post(`/task/${task}/event`, JSON.stringify(event));
    expect(await send()).toMatchObject({ status: 200, body: { r: { id } } });
    expect(await client.pollFirstEvent(task)).toMatchObject({ id, payload: { code: 200 } });
    // The task is over by now, and the id was sent before.
    expect(await send()).toMatchObject({ status: 200, body: { r: { id } } });
  });

  it('an output as JSON text that is too deep to be written again stays a text', async () => {
    const tool = { name: 'deep', description: '', inputs: { type: 'object' }, output: '' };
    const task = await client.createTask({ task: 'Use the tool', custom_tools: [tool] });
    const call = await client.pollFirstEvent<{ id: string }>(task);
    const output = '['.repeat(50_000) + ']'.repeat(50_000);
    const reply = JSON.stringify({ tool_response: { id: call.id, code: 200, output } });
    const put = await client.send(`/task/${task}`, { method: 'PUT', body: reply, headers: JSON_TYPE });
    expect(put).toMatchObject({ status: 200, body: { r: true } });
    expect(await client.send(`/tool/deep/${call.id}`)).toMatchObject({ status: 200, body: { output } });
  });
});

describe('parameters and headers', () => {
  it.each([
    ['a missing parameter', 'POST', '/topup', ['query', 'amount'], /required/],
    ['a text for a number', 'POST', '/topup?amount=much', ['query', 'amount'], /integer/],
    [
      'a number beyond every integer',
      'POST',
      '/topup?amount=99999999999999999999',
      ['query', 'amount'],
      /integer/,
    ],
    ['below the least', 'GET', '/task?l=0', ['query', 'l'], /at least 1/],
    ['above the most', 'GET', '/task?l=129', ['query', 'l'], /at most 128/],
    [
      'a boolean that is none',
      'POST',
      '/task/x/visibility?visibility=maybe',
      ['query', 'visibility'],
      /true or false/,
    ],
    ['a missing header', 'GET', '/sop', ['header', 'workspace-id'], /required/],
  ])('%s', async (_, method, path, loc, words) => {
    checkErrorResponse(await client.send(path, { method }), 422, words, loc);
  });

  it('a long id in a header', async () => {
    const headers = { 'workspace-id': 'x'.repeat(2000) };
    checkErrorResponse(await client.send('/sop', { headers }), 404, /no workspace "x+\.\.\."/);
  });

  it('headers larger than HTTP allows', async () => {
    checkErrorResponse(
      await client.send('/usage', { headers: { 'x-large': 'x'.repeat(40_000) } }),
      431,
      /headers/,
    );
  });

  it('a long key', async () => {
    expect(await client.send('/usage', { headers: { apikey: 'k'.repeat(5000) } })).toMatchObject({
      status: 200,
    });
  });

  it.each([
    ['no such task', '/task/none', /no task "none"/],
    ['a task named like a prototype', '/task/__proto__', /no task "__proto__"/],
    ['a null byte', '/task/%00', /no task/],
    ['a long id', `/task/${'x'.repeat(10_000)}`, /no task "x+\.\.\."/],
    ['no such path', '/nothing/here', /no operation/],
    ['a broken percent-encoding', '/task/%E0%A4%A', /percent-encoding/],
    ['a path of a thousand parts', '/a'.repeat(1000), /no operation/],
  ])('%s', async (_, path, words) => {
    checkErrorResponse(await client.send(path), 404, words);
  });

  it('another method', async () => {
    checkErrorResponse(await client.send('/task', { method: 'PATCH' }), 405, /not allowed.*only/);
  });

  it('slashes too many are passed over', async () => {
    expect(await client.send('//usage///')).toMatchObject({ status: 200 });
  });

  it('a scenario that is none', async () => {
    const headers = { 'x-taskdouble-scenario': '../../__proto__' };
    checkErrorResponse(await client.post('/task', '{"task":"x"}', headers), 400, /no such scenario/);
  });
});
