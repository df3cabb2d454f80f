import { expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import { FIXTURES } from '../../../test/mutants/fixtures.js';
import { KEYS } from '../../../test/mutants/judge.js';
import { conform } from '../../conform.js';
import { mockTarget } from '../http-client/in-process.js';
import type { FetchFunction } from '../http-client/target.js';
import { isolationCases } from './account/isolation.js';
import { toolCases } from './tool-calls.js';

/** How long the agent waits for a reply, ms. No rule forbids that. */
const PATIENCE_MS = 2000;

it.each(['tool-calls/tools-of-each-task', 'auth/replies-of-another-organisation'])(
  '%s does not conclude that a reply was taken if the agent waits no longer without one',
  async (id) => {
    const mock = new Mock({ clock: 'manual', fixtures: FIXTURES });
    await mock.ready;
    const target = mockTarget(mock);
    const fetch: FetchFunction = async (input, init) => {
      const response = await mock.fetch(input, init);
      if (!/\/task\/[^/]+\?/.test(String(input)) || !response.ok) return response;
      const { r } = await response.json();
      const call = calls.get(r.id) ?? r.events?.find(({ name }: { name: string }) => name === 'tool_call');
      if (call) calls.set(r.id, call);
      const isOver = call && target.clock.now() - call.timestamp >= PATIENCE_MS;
      if (isOver) ended.add(r.id);
      const over = { status: 'done', output: 'There was no reply.', recording_url: '', credits_used: 1 };
      return Response.json({ r: isOver ? { ...r, ...over } : r }, { status: isOver ? 200 : response.status });
    };
    const calls = new Map<string, { timestamp: number }>();
    const ended = new Set<string>();
    const { checks } = await conform({
      ...target,
      fetch,
      apiKey: 'main-key',
      keys: KEYS,
      cases: [...toolCases, ...isolationCases],
      concurrency: 1,
      only: [id],
      pollIntervalMs: 1000,
    });
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(ended.size).toBe(2);
  },
);
