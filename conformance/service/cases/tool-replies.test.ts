import { expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import { conform } from '../../conform.js';
import { mockTarget } from '../http-client/in-process.js';
import type { FetchFunction } from '../http-client/target.js';
import { replyCases } from './tool-replies.js';

/** More polls than one wait takes, and less than two. */
const POLLS = 90;

it('a reply that is confirmed and lost is noticed, also if the agent ends without it later', async () => {
  const mock = new Mock({ clock: 'manual' });
  await mock.ready;
  let polls: number | undefined;
  const fetch: FetchFunction = async (input, init) => {
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    if (body?.name === 'tool_call') {
      polls ??= 0;
      return Response.json({ r: { id: body.id } });
    }
    const response = await mock.fetch(input, init);
    if (polls === undefined || init?.method !== 'GET' || ++polls < POLLS) return response;
    const { r } = await response.json();
    const over = { status: 'done', output: 'There was no reply.', recording_url: '', credits_used: 1 };
    return Response.json({ r: { ...r, ...over } });
  };
  const { checks } = await conform({
    ...mockTarget(mock, fetch),
    apiKey: 'main-key',
    cases: replyCases,
    concurrency: 1,
    only: ['tool-calls/left-waiting'],
  });
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  expect(failed.flatMap(({ covers }) => covers)).toEqual(['SERVICE-01', 'TOOL-09']);
});
