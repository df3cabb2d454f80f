import { describe, expect, it } from 'vitest';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { loadEdited, readEdits } from '../../test/clients/edited-clients.js';
import { loadClient } from '../../test/support/client/fixture.js';
import type { CheckResult } from '../causes/check-result.js';
import type { ClientFunction } from '../client/types.js';
import { checkClient } from './check-client.js';

const edits = readEdits('buggy-edits.txt');
const oneCall = (await loadLibrary()).find(({ name }) => name === 'tool-calls/one-call')!;

async function checkEdited(name: string): Promise<Record<'ofPairs' | 'ofLibrary', CheckResult[]>> {
  const { checks } = await checkClient({
    client: await loadEdited(edits.find((each) => each.name === name)!),
  });
  const isOfPair = ({ case: name }: CheckResult) => / (then|with) /.test(name);
  return { ofPairs: checks.filter(isOfPair), ofLibrary: checks.filter((each) => !isOfPair(each)) };
}

const listFailed = (checks: readonly CheckResult[]) => checks.filter(({ outcome }) => outcome === 'failed');

describe('two jobs in one process', () => {
  it.each([
    ['state-of-the-module', 'line/tool-runs'],
    ['task-of-the-module', 'line/error'],
    ['key-of-the-first-job', 'create/other-job'],
    ['waits-of-the-module', 'sessions/closed'],
    ['cursor-of-the-module', 'polling/event-t'],
    ['one-create-at-a-time', 'run/requests'],
    ['newest-job-alone', 'replies/each-call'],
    ['over-for-all', 'line/status'],
  ])('%s: no single scenario fails, and a pair does with %s', async (name, rule) => {
    const { ofPairs, ofLibrary } = await checkEdited(name);
    expect(listFailed(ofLibrary)).toEqual([]);
    const failed = listFailed(ofPairs);
    expect(failed.map((each) => each.rule)).toContain(rule);
    for (const { message } of failed)
      expect(message).toMatch(/^The (first|second) of two jobs (at the same time )?in one process: /);
  });

  it('what an earlier job leaves in the process is reported by the first scenario, played again', async () => {
    const { ofPairs } = await checkEdited('results-shared');
    expect(listFailed(ofPairs).map(({ id }) => id)).toEqual([
      'auth/key-in-header then auth/key-in-header#line/results',
    ]);
  });

  it('a pair whose job fails alone is inconclusive, and the message names the job', async () => {
    const { ofPairs } = await checkEdited('lock-kept-after-failure');
    expect(listFailed(ofPairs)).toEqual([]);
    expect(new Set(ofPairs.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']));
    expect(ofPairs[0]!.message).toBe('auth/key-in-header fails alone: correct that first.');
  });

  it('are played for a name too; a job that was not played before is played alone', async () => {
    const reference = await loadClient('reference');
    const played: string[] = [];
    const run: ClientFunction = (context) => {
      played.push(context.scenario);
      return context.job.request.task === oneCall.request.task ? Promise.resolve({}) : reference(context);
    };
    const name = 'tool-calls/two-tools then tool-calls/one-call';
    const { checks } = await checkClient({ client: run, scenarios: [name], unknownScenario: false });
    expect(checks.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['inconclusive', 'its second job fails alone: correct that first.'],
    ]);
    expect(played).toEqual(['tool-calls/two-tools', name, 'tool-calls/two-tools', 'its second job']);
  });

  it('are not for a command', async () => {
    const scenarios = ['tool-calls/two-tools then tool-calls/one-call'];
    await expect(checkClient({ client: ['true'], scenarios })).rejects.toThrow(/there is no scenario/);
  });
});

describe('a request after the return', () => {
  it('is reported in any scenario of a run', async () => {
    const reference = await loadClient('reference');
    const { checks } = await checkClient({
      client: async (context) => {
        const { fetch, baseUrl, scenario } = context;
        if (scenario === 'polling/one-shot') setTimeout(() => fetch(`${baseUrl}/api/v1/usage`), 5000);
        return reference(context);
      },
      scenarios: ['auth/key-in-header', 'polling/one-shot'],
    });
    expect(listFailed(checks).map(({ id }) => id)).toContain('polling/one-shot#run/late-request');
  });
});
