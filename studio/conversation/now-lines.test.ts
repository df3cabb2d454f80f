import { expect, it } from 'vitest';
import { listNowLines } from './now-lines.js';
import type { Waiting } from './waiting-steps.js';

it('shows no wait that is over, which the state of the mock still has', () => {
  const time = { kind: 'time', due: 1000 } as const;
  const step = { index: 0, waits_for: [], since: 0, polls: 0, due: 1000 };
  const waiting: Waiting = {
    steps: [
      { ...step, step: 'service finish', missing: [time] },
      { ...step, step: 'service open', missing: [time, { kind: 'gate', gate: 'g' }] },
    ],
    held: [],
  };
  const listTexts = (now: number) => listNowLines(waiting, [], now).map(({ text }) => text);
  expect(listTexts(400)).toEqual(['Waiting for 600 ms more', 'Waiting for 600 ms more and gate g']);
  expect(listTexts(1100)).toEqual(['Waiting 1.10 s for gate g']);
});
