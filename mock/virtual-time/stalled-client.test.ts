import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEY, runTask } from '../../test/support/virtual-time/poller.js';
import { Mock } from '../mock.js';
import { StalledClientError } from './stalled-client.js';

const ADDRESS = 'http://mock.test';
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let mock: Mock;
beforeEach(() => {
  mock = new Mock({ clock: 'manual' });
});
afterEach(() => mock.close());

async function pollFor(key = KEY): Promise<never> {
  for (;;) {
    await mock.fetch('/api/v1/usage', { headers: { apikey: key } });
    await wait(1_000);
  }
}

describe('the error of a client that never ends', () => {
  it.each([
    ['idle', 0, () => new Promise<never>(() => {}), /no event is left that could happen.*made no request/],
    ['stalled', 600_000, () => pollFor(), /there was no progress for 10m .*GET \/api\/v1\/usage.*1s later/],
    [
      'deadline',
      3_600_000,
      () => wait(3_600_001),
      /its 1h of virtual time are over.*Its next timer .* 1ms later/,
    ],
  ] as const)('states why it was abandoned: %s', async (reason, passedMs, client, message) => {
    const error = await mock.time.run<unknown>(client, reason === 'deadline' ? { stalledMs: 1e9 } : {}).then(
      () => undefined,
      (thrown) => thrown as StalledClientError,
    );
    expect(error).toBeInstanceOf(StalledClientError);
    expect(error).toMatchObject({
      name: 'StalledClientError',
      reason,
      passedMs,
      message: expect.stringMatching(message),
    });
  });

  const TOOL = {
    name: 'get_weather',
    description: 'Gives the weather in a city.',
    inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    output: 'A JSON object.',
  };

  it.each([
    ['a task whose tool is not run', 'tool-calls/one-call', /the end of task .* waits for .*reply/],
    ['a task that is over', 'polling/slow-agent', /can no longer arrive: task .* is done/],
  ])('says what a client was waiting for: %s', async (_, scenario, message) => {
    const client = async () => {
      await runTask(mock.fetch, ADDRESS, { scenario, request: { custom_tools: [TOOL] } });
      await new Promise(() => {});
    };
    await expect(mock.time.run(client)).rejects.toThrow(message);
  });

  it('names the response that the mock holds', async () => {
    await mock.network.set('hold of poll until gate never at_most 2h', KEY);
    await expect(mock.time.run(() => runTask(mock.fetch, ADDRESS))).rejects.toThrow(
      /It was waiting for the response to exchange 2 \(a poll\), which was held back/,
    );
  });
});
