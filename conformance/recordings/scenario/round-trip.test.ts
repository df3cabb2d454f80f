import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import { playRoundTrip } from '../../../test/support/recordings/round-trip.js';

const QUICK = [
  'tool-calls/corrected-input',
  'sessions/goto-extract-evaluate-close',
  'races/reply-response-lost',
  'races/call-after-cancel',
  'status-codes/cancelled-by-client',
  'resources/late-recording-url',
];
const library = await readLibrary();

describe('the scenario of a recorded conversation', () => {
  it.each(QUICK)('gives the same client the same conversation: %s', async (name) => {
    const { problems, before, after } = await playRoundTrip(library.find((each) => each.name === name)!);
    expect(problems).toEqual([]);
    expect(before.tasks.length).toBeGreaterThan(0);
    expect(after).toEqual(before);
  });

  it('keeps a call whose input is not an object as the event that it was', async () => {
    const one = library.find(({ name }) => name === 'tool-calls/one-call')!;
    const timeline = one.timeline.map((step) => {
      if (!('service' in step) || step.service !== 'tool_call') return step;
      const payload = { name: step.tool, input: 'Oslo' };
      return { id: step.id!, service: 'event' as const, name: 'tool_call' as const, payload };
    });
    const { problems, yaml, before, after } = await playRoundTrip({ ...one, timeline });
    expect(problems).toEqual([]);
    expect(yaml).toMatch(/# The input of the call is not an object: .*\n {2}- service: event\n/);
    expect(after).toEqual(before);
  });

  it('marks choices that the recording leaves open with comments', async () => {
    const scenario = library.find((each) => each.name === 'races/reply-request-lost')!;
    const { yaml } = await playRoundTrip(scenario, ({ network: _, ...exchange }) => exchange);
    expect(yaml).toMatch(/^# Made by taskdouble .* from journal, task .*: \d+ exchanges\.$/m);
    expect(yaml).toMatch(
      /^ {2}# The recording does not show whether the request or the response was lost: request is a guess\.\n {2}- network: drop\n/m,
    );
    // A journal shows which of the two was lost.
    expect((await playRoundTrip(scenario)).yaml).not.toContain('is a guess');
    expect(yaml).toMatch(
      /^ {2}# Between .* and .*: the recording shows no exact time\.\n {2}- service: finish$/m,
    );
  });
});
