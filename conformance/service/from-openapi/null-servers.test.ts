import { expect, it } from 'vitest';
import { listMessages, runWithoutSmokeCheck } from '../../../test/support/from-openapi/run-cases.js';
import { generatedCases } from '../all-cases.js';

const json = (status: number, body: unknown) => () =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const NOBODY: [string, () => Response][] = [
  ['200 {}', json(200, {})],
  ['200 {"r":{}}', json(200, { r: {} })],
  ['200 {"r":true}', json(200, { r: true })],
  ['200 {"r":[]}', json(200, { r: [] })],
  ['200 with a task', json(200, { r: { id: 'a', status: 'done', live_url: 'x', events: [] } })],
  ['202 with a task', json(202, { r: { id: 'a', status: 'running', live_url: 'x', events: [] } })],
  [
    '200 with everything',
    json(200, { id: 'a', t: 1, name: 'a', r: 'a', requests: [{ id: 'a', t: 1, tool: 'a' }] }),
  ],
  ['404', json(404, { detail: 'Nothing here' })],
  ['422', json(422, { detail: [] })],
  ['401', json(401, { detail: 'Who are you?' })],
  ['500', json(500, { detail: 'Oh' })],
  ['429', json(429, { detail: 'Slow down' })],
  ['503', () => new Response('{"detail":"Later"}', { status: 503, headers: { 'retry-after': '1' } })],
  ['200 with HTML', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
  ['204', () => new Response(null, { status: 204 })],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } })],
];

it.each(NOBODY)('nothing passes against a server that always responds with %s', async (_, response) => {
  const checks = await runWithoutSmokeCheck(generatedCases, async () => response());
  expect(checks.length).toBeGreaterThan(500);
  expect(listMessages(checks, 'passed')).toEqual([]);
});
