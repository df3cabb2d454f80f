import { expect, it } from 'vitest';
import { dialectCases } from '../../conformance/service/all-cases.js';
import { isolationCases } from '../../conformance/service/cases/account/isolation.js';
import type { SequenceStep } from '../../conformance/service/search/sequence/sequence.js';
import { type CreateService, judgeService } from './judge-service.js';
import * as folded from './services/folded.js';
import * as steady from './services/steady.js';

async function listFailures(
  createService: CreateService,
  options: NonNullable<Parameters<typeof judgeService>[1]>,
): Promise<string[]> {
  const { checks } = await judgeService(createService, options);
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

it('takes a profile that was created twice for one profile', async () => {
  const createProfile = { operation: 'createProfile', condition: 'plain', open: true } as const;
  const body = { id: '{{word.profile01}}' };
  const path = { profile_id: '{{profile1.profile_id}}' };
  const steps: SequenceStep[] = [
    { ...createProfile, body, as: 'profile1' },
    { ...createProfile, body, as: 'profile2' },
    { operation: 'deleteProfile', on: 'profile1', condition: 'plain', path },
    {
      operation: 'openBrowserSession',
      condition: 'with profile_id',
      body: { profile_id: '{{profile2.profile_id}}' },
      as: 'browser1',
    },
    {
      operation: 'deleteBrowserProfile',
      on: 'profile2',
      condition: 'plain',
      path: { profile_id: '{{profile2.profile_id}}' },
    },
  ];
  const replay = {
    failure: 'BROWSER-04 deleteBrowserProfile status',
    requirement: 'BROWSER-04',
    dialect: { 'profile.duplicate': '200' },
    steps,
  };
  expect(await listFailures(steady.createService, { cases: [], replay })).toEqual([]);
});

it('polls a task after an accepted late reply, which must not revive it', async () => {
  const failed = await listFailures(folded.createService, {
    fault: 'late-reply-revives',
    cases: dialectCases,
    search: 10,
  });
  expect(failed).toContainEqual(expect.stringMatching(/#POLL-08$/));
});

it('reports that polls list a call late, and no consequence of the time that it cost', async () => {
  const failed = await listFailures(folded.createService, {
    fault: 'zero-event-t-empty',
    cases: isolationCases.filter(({ id }) => id === 'auth/replies-of-another-organisation'),
  });
  expect(failed).toEqual(['auth/replies-of-another-organisation#POLL-04']);
});

it.each([
  ['list-model-wrapped', 120],
  ['enum-overlooked', 60],
])('finds "%s" in %i sequences', async (fault, search) => {
  const failed = await listFailures(folded.createService, {
    fault,
    cases: dialectCases,
    search,
    seed: 7,
  });
  expect(failed).toContainEqual(expect.stringMatching(/^search\/.*#TASK-04$/));
});
