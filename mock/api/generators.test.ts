import { describe, expect, it } from 'vitest';
import { createMock } from '../../index.js';

const headers = { apikey: 'k', 'content-type': 'application/json' };
const create = async (request: object) => {
  const mock = createMock({ clock: 'skipping' });
  const response = await mock.fetch('/api/v1/task', {
    method: 'POST',
    headers,
    body: JSON.stringify(request),
  });
  return { status: response.status, text: await response.text() };
};

describe('a schema that no value satisfies', () => {
  it.each([
    ['bounds that exclude each other', { type: 'integer', minimum: 5, maximum: 3 }],
    ['nothing allowed', { not: {} }],
    [
      'more different values than there are',
      { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 5 },
    ],
  ])('is refused in the request instead of giving null at the end: %s', async (_, schema) => {
    const tool = { name: 't', description: 'd', inputs: schema, output: 'o' };
    for (const request of [
      { task: 'x', response_model: schema },
      { task: 'x', custom_tools: [tool] },
    ]) {
      const { status, text } = await create(request);
      expect(status).toBe(422);
      expect(text).toMatch(/Not a schema this service can use: no (value|object) satisfies it/);
      expect(text).toContain('loosen');
    }
  });

  it.each([
    ['extract', 'browser_action', { schema: { type: 'integer', minimum: 5, maximum: 3 }, prompt: null }],
    ['run_task', 'session_action', { task: 'x', response_model: { not: {} } }],
  ])('gives the action %s a result of code 400', async (name, event, input) => {
    const mock = createMock({ clock: 'skipping' });
    const send = async (path: string, init: object = {}) =>
      (await mock.fetch(`/api/v1${path}`, { headers, ...init })).json();
    const created = (await send('/task', { method: 'POST', body: '{"task":null}' })) as { r: { id: string } };
    const path = `/task/${created.r.id}`;
    const action = { id: 'e', name: event, payload: { name, input } };
    await send(`${path}/event`, { method: 'POST', body: JSON.stringify(action) });
    const { r } = (await send(path)) as { r: { events: { payload: object }[] } };
    expect(r.events[0]?.payload).toMatchObject({
      code: 400,
      output: expect.stringContaining('no value satisfies'),
    });
  });

  it('does not prevent the use of a valid one', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 3, maximum: 3 } },
      required: ['n'],
    };
    expect((await create({ task: 'x', response_model: schema })).status).toBe(200);
  });
});
