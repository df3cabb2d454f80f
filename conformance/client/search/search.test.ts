import { describe, expect, it } from 'vitest';
import { checkClient } from '../check-client.js';
import type { ClientFunction } from '../types.js';

type Pieces = Record<
  'reply',
  (this: unknown, id: string, outcome: { code: number; output: unknown }) => Promise<void>
>;
const {
  makeClient,
  pieces,
  run: reference,
} = (await import(new URL('../../../fixtures/clients/reference.mjs', import.meta.url).href)) as {
  makeClient(variation: Partial<Pieces>): ClientFunction;
  pieces: Pieces;
  run: ClientFunction;
};

const PLAIN = ['polling/one-shot', 'status-codes/failed'];

describe('a search', () => {
  it('plays generated conversations behind the scenarios, named by their seed', async () => {
    const report = await checkClient({
      client: reference,
      scenarios: PLAIN,
      search: 5,
      seed: 3,
      unknownScenario: false,
    });
    expect(report.summary).toMatchObject({ passed: 4 * (PLAIN.length + 5), failed: 0 });
    expect([...new Set(report.checks.map((check) => check.case))].slice(PLAIN.length)).toEqual(
      [1, 2, 3, 4, 5].map((number) => `generated/3-${number}`),
    );
  });

  it('fails a client that changes what it carries, which no plain scenario shows', async () => {
    const client = makeClient({
      // An empty text is taken for nothing.
      reply(id, outcome) {
        return pieces.reply.call(this, id, { ...outcome, output: outcome.output || null });
      },
    });
    const report = await checkClient({ client, scenarios: PLAIN, search: 20, unknownScenario: false });
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ rule }) => rule)).toContain('replies/outcome');
    for (const check of failed) expect(check.case).toMatch(/^generated\/1-\d+$/);
  });
});
