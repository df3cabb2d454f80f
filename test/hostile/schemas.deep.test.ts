import { describe, expect, it } from 'vitest';
import { checkErrorResponse, HostileClient } from '../support/mock/hostile-client.js';
import { HOSTILE_SCHEMAS } from '../support/mock/hostile-schemas.js';

/** After each of these the server is asked whether it goes on. A hang is what the time-out of the tests ends. */
const client = new HostileClient().install();

describe('hostile schemas', () => {
  /** Refused with the place, or used: the task then comes to an end. */
  async function holdUse(request: object, loc: unknown[]): Promise<void> {
    const answer = await client.post('/task', JSON.stringify(request));
    if (answer.status !== 200) {
      const deep = (answer.body as { detail: { loc: unknown[] }[] }).detail[0]?.loc.length === 1;
      checkErrorResponse(
        answer,
        422,
        deep ? /deeper than 64/ : /Not a schema this service can use/,
        deep ? ['body'] : loc,
      );
      return;
    }
    const { id } = (answer.body as { r: { id: string } }).r;
    for (let polls = 0; polls < 20; polls++) {
      const { status, body } = await client.send(`/task/${id}`);
      const { r } = body as {
        r: { status: string; events: { id: string; name: string; payload: object }[] };
      };
      if (status === 200) {
        expect(['done', 'failed']).toContain(r.status);
        return;
      }
      expect(status).toBe(202);
      for (const call of r.events) {
        const reply = { id: call.id, name: 'tool_call', payload: { code: 200, output: null } };
        expect(await client.post(`/task/${id}/event`, JSON.stringify(reply))).toMatchObject({ status: 200 });
      }
    }
    throw new Error(`The task did not end: ${JSON.stringify(request).slice(0, 200)}`);
  }

  it.each(Object.entries(HOSTILE_SCHEMAS))('as the response model: %s', async (_, make) => {
    await holdUse({ task: 'x', response_model: make() }, ['body', 'response_model']);
  });

  it.each(Object.entries(HOSTILE_SCHEMAS))('as the inputs of a tool: %s', async (_, make) => {
    const tool = { name: 't', description: '', inputs: make(), output: '' };
    await holdUse({ task: 'x', custom_tools: [tool] }, ['body', 'custom_tools', 0, 'inputs']);
  });

  it.each(Object.entries(HOSTILE_SCHEMAS))('in extract: %s', async (_, make) => {
    const task = await client.createTask({ task: null });
    const event = {
      id: 'e',
      name: 'browser_action',
      payload: { name: 'extract', input: { schema: make() } },
    };
    const answer = await client.post(`/task/${task}/event`, JSON.stringify(event));
    if (answer.status !== 200) {
      checkErrorResponse(answer, 422, /deeper than 64/, ['body']);
      return;
    }
    const result = await client.pollFirstEvent<{ payload: { code: number; output: unknown } }>(task);
    expect([200, 400, 500]).toContain(result.payload.code);
    if (result.payload.code !== 200) expect(result.payload.output).toEqual(expect.any(String));
  });
});
