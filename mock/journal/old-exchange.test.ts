import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../spec/vocabulary.js';
import { readNetworkEffects, upgradeExchange } from './old-exchange.js';

const exchange: Exchange = {
  seq: 1,
  kind: 'poll',
  organisation: 'org-1',
  request: { method: 'GET', url: '/api/v1/task/t1', headers: {}, at: 1 },
  response: { status: 200, headers: {}, body: '{}', at: 2 },
};

describe('exchanges of older versions', () => {
  it.each([
    ['request dropped', 'lost', { side: 'request' }],
    ['answer dropped', 'lost'],
    ['let go: the client has gone', 'lost'],
    ['answer cut off after 9 bytes', 'cut'],
    ['delayed 50 ms', 'delayed'],
    ['answer held until gate go', 'delayed'],
    ['answer kept back until the next one has left', 'delayed'],
    ['let go: the rule was taken away', 'delayed'],
    ['handled twice', 'duplicated'],
    ['answer with every event twice', 'changed'],
    ['failed with 503', 'replaced'],
    ['429 by quota 2/1s', 'replaced'],
  ] as [string, string, object?][])('get the effect of "%s": %s', (note, effect, side = {}) => {
    expect(readNetworkEffects([note])).toEqual([{ effect, note, ...side }]);
  });

  it('get the size of what was left out of a body', () => {
    const cut = `${'x'.repeat(64 * 1024)}… (12 more characters left out)`;
    const old = { ...exchange, response: { ...exchange.response!, body: cut } };
    expect(upgradeExchange(old).response?.left_out).toBe(12);
    const described = { ...exchange.request, body: '(7 bytes, multipart)' };
    expect(upgradeExchange({ ...exchange, request: described }).request.left_out).toBe(7);
  });

  it('stay as they are where they have the fields', () => {
    const network = [{ verb: 'drop', effect: 'lost' as const, note: 'answer dropped' }];
    expect(upgradeExchange({ ...exchange, network })).toEqual({ ...exchange, network });
    expect(readNetworkEffects([{ effect: 'odd', note: 'x' }, 7])).toEqual([]);
    expect(readNetworkEffects(undefined)).toBeUndefined();
  });
});
