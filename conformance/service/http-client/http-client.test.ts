import { expect, it } from 'vitest';
import { Needs } from '../needs/needs.js';
import { ExchangeRecorder, ExchangeStream } from './exchanges.js';
import { HttpClient } from './http-client.js';
import { realClock } from './target.js';

const refuse = async () => Response.json({ detail: 'device is required' }, { status: 422 });

it.each([
  ['that is invalid on purpose', { mayBeRefused: true as const }, new Needs()],
  ['to a target whose needs are not learned', {}, undefined],
  ['that no change leads past', {}, new Needs()],
])('rules are shown the refusal of a request %s', async (_, more, needs) => {
  const recorder = new ExchangeRecorder();
  const stream = new ExchangeStream(recorder);
  const target = {
    ...{ baseUrl: 'http://service', clock: realClock, keys: { main: 'key' }, requestTimeoutMs: 1000 },
    fetch: refuse,
    needs,
  };
  const client = new HttpClient(target, stream, {});
  const { status } = await client.send('createTask', { body: { task: 'Go' }, ...more });
  expect(status).toBe(422);
  expect(stream.ended).toEqual(recorder.exchanges);
  expect(stream.ended[0]?.response?.status).toBe(422);
});
