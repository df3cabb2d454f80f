import { expect, it } from 'vitest';
import { exploreForms } from './explore-forms.js';

/** Single deviations of the default scenarios. */
const SCHEDULES = 1600;

/** What a rule excuses, or what needs more than a deviation or a service that lists the events of its client. */
const MISSED = [
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

/** A race that no other default scenario shows with one deviation. */
const NEEDED: Readonly<Record<string, string>> = {
  'sessions/call-beside-a-result': 'one-event-a-response',
  'tool-calls/two-calls': 'one-call-a-tool',
  'tool-calls/serial-calls': 'equal-calls-are-one',
  'cancels/during-calls': 'cancel-behind-work',
  'tool-calls/repeated-reply-refused': 'conflict-is-error',
  'races/close-against-run-task': 'cancel-from-restart',
  'cancels/around-the-end': 'reports-cancelled',
};

it.each(Object.entries(NEEDED))('%s shows %s', async (scenario, name) => {
  const limits = { scenarios: [scenario], deviations: 1, schedules: 150, isBrief: true };
  const found: unknown[] = [];
  for await (const form of exploreForms('races', { names: [name], ...limits })) found.push(form.found);
  expect(found).toEqual([expect.any(String)]);
});
