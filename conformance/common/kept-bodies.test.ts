import { expect, it } from 'vitest';
import type { Exchange } from '../../spec/vocabulary.js';
import { KeptBodies } from './kept-bodies.js';

const exchange = (seq: number, body: string): Exchange => ({
  seq,
  kind: 'poll',
  organisation: 'main',
  request: { method: 'GET', url: '/api/v1/task/1', headers: {}, at: 0 },
  response: { status: 200, headers: {}, body, at: 0 },
});
const LONG = 'x'.repeat(10_000);
const left = (exchanges: Exchange[]) =>
  exchanges.filter(({ response }) => response!.body === LONG).map(({ seq }) => seq);

it('keeps every body below the bound, and short ones always', () => {
  const bodies = new KeptBodies(20_000);
  const exchanges = [1, 2].map((seq) => exchange(seq, LONG));
  for (let seq = 3; seq < 1000; seq++) exchanges.push(exchange(seq, 'short'));
  for (const at of exchanges.keys()) bodies.add(exchanges, at, 'passed');
  expect(left(exchanges)).toEqual([1, 2]);
  expect(bodies.shortened).toBe(0);
});

it('shortens what passed first, then what failed, each from the oldest', () => {
  const bodies = new KeptBodies(45_000);
  const exchanges = Array.from({ length: 6 }, (_, at) => exchange(at + 1, LONG));
  const whole = [...exchanges];
  for (const at of [0, 1]) bodies.add(exchanges, at, 'failed');
  for (const at of [2, 3, 4]) bodies.add(exchanges, at, 'passed');
  expect(left(exchanges)).toEqual([1, 2, 4, 5, 6]);
  expect(exchanges[2]!.response!.body).toMatch(/^x{2048}… \(7952 more characters left out\)/);
  bodies.add(exchanges, 5, 'failed');
  expect(left(exchanges)).toEqual([1, 2, 5, 6]);
  expect(bodies.shortened).toBe(2);
  // A rule that still reads the exchange has the complete body.
  expect(whole[2]!.response!.body).toBe(LONG);
});
