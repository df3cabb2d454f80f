import { describe, expect, it } from 'vitest';
import type { ClientFunction } from '../../conformance/client/types.js';
import { loadDefaultScenarios } from '../../conformance/explore/explored-scenarios.js';
import { explore } from '../../conformance/explore/search/explore.js';
import type { ExploreOptions } from '../../conformance/explore/types.js';
import { loadEdited, readEdits } from '../clients/edited-clients.js';
import { loadClient } from '../support/client/fixture.js';
import { exploreForms } from './explore-forms.js';
import { listForms } from './first-failure.js';

/** Single deviations of the default scenarios. */
const SCHEDULES = 1600;
const LONG_MS = 30 * 60_000;

/** What a rule excuses, or what needs more than a deviation or a service that lists the events of its client. */
const MISSED = [
  'cancel-behind-work',
  'conflict-is-error',
  'refused-cancel-is-error',
  'held-poll-ends',
  'ended-session-is-error',
  'shared-retries',
  'echo-is-result',
];

it('the default scenarios show the races of these clients with one deviation', {
  timeout: 1_200_000,
}, async () => {
  const missed: string[] = [];
  let count = 0;
  for await (const { form, found } of exploreForms('races', { schedules: SCHEDULES, isBrief: true })) {
    count++;
    if (found === undefined) missed.push(form);
  }
  expect(missed.filter((form) => !MISSED.includes(form))).toEqual([]);
  expect(count).toBeGreaterThan(50);
});

/** A bug that no other default scenario shows, unchanged or with one deviation. */
const NEEDED: Readonly<Record<string, string>> = {
  'tool-calls/two-calls': 'one-call-a-tool',
  'sessions/ended-by-the-service': 'end-before-result',
  'races/close-against-run-task': 'cancel-from-restart',
  'races/unknown-tool': 'unknown-tool-is-fatal',
  'races/odd-result-code': 'failed-action-sent-again',
  'races/terminal-without-result': 'failed-task-is-tried-again',
  'races/cancel-during-tool': 'refused-reply-ends',
  'auth/key-withdrawn': 'polls-the-vanished',
  'resources/late-live-url': 'live-url-at-creation',
  'tool-calls/serial-calls': 'equal-calls-are-one',
  'sessions/call-beside-a-result': 'one-event-a-response',
  'cancels/around-the-end': 'cancelled-task-is-assumed',
  'cancels/during-calls': 'runs-tools-after-cancel',
  'cancels/during-actions': 'cancel-forgets-the-close',
  'tool-calls/one-call with sessions/run-task-with-tools': 'task-of-the-module',
};

describe('the default scenarios', () => {
  it('are all needed', async () => {
    expect((await loadDefaultScenarios()).map(({ name }) => name).sort()).toEqual(Object.keys(NEEDED).sort());
  });

  it.each(Object.entries(NEEDED))('%s alone shows %s', { timeout: 600_000 }, async (scenario, name) => {
    const client = { kind: 'function' as const, run: await loadBuggy(name) };
    const isShown = async (selected: Pick<ExploreOptions, 'scenarios' | 'exclude'>) => {
      const stop = new AbortController();
      const { signal } = stop;
      const options = { client, deviations: 1, schedules: SCHEDULES, timeLimitMs: LONG_MS, signal };
      const { failures } = await explore({ ...options, ...selected }, (event) => {
        const isWalk = event.type === 'progress' && event.progress.phase === 'walk';
        const isFailure = event.type === 'failure' && event.failure.level === 'must';
        if (isWalk || isFailure) stop.abort();
      });
      return failures.some(({ foundWith }) => foundWith <= 1);
    };
    expect(await isShown({ scenarios: [scenario] })).toBe(true);
    expect(await isShown({ exclude: [scenario] })).toBe(false);
  });
});

/** A race of an independent client, a fixture, or an edit of the reference client. */
async function loadBuggy(name: string): Promise<ClientFunction> {
  const [race] = listForms('races', [name]);
  if (race) return race.run;
  const edit = readEdits('buggy-edits.txt').find((each) => each.name === name);
  return edit ? loadEdited(edit) : loadClient(`buggy/${name}`);
}
