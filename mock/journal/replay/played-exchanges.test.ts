import { expect, it } from 'vitest';
import type { Exchange } from '../../../spec/vocabulary.js';
import { PlayedExchanges } from './played-exchanges.js';

const exchange = (seq: number, body: Partial<Exchange['request']> = {}, answer = ''): Exchange => ({
  seq,
  kind: 'poll',
  organisation: 'org-1',
  request: { method: 'GET', url: '/', headers: {}, at: 0, ...body },
  response: { status: 200, headers: {}, body: answer, at: 0 },
});

it('keeps the last exchanges, so many and so much text of them', () => {
  const played = new PlayedExchanges({ exchanges: 3, characters: 100 });
  const seqs = () => played.all().map(({ seq }) => seq);
  for (let seq = 1; seq <= 5; seq++) played.add(exchange(seq));
  expect(seqs()).toEqual([3, 4, 5]);
  played.add(exchange(6, { body: 'x'.repeat(60) }));
  played.add(exchange(7, { body_base64: 'x'.repeat(60) }));
  expect(seqs()).toEqual([7]);
  played.add(exchange(8, { url: `/${'x'.repeat(200)}` }));
  expect(seqs()).toEqual([8]);
  played.add(exchange(9, {}, 'x'.repeat(98)));
  played.add(exchange(10));
  expect(seqs()).toEqual([9, 10]);
  expect(played.last!.seq).toBe(10);
});
