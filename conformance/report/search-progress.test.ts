import { describe, expect, it } from 'vitest';
import { createExploreReport, createFailure } from '../../test/support/report/searches.js';
import type { ExploreEvent } from '../explore/types.js';
import { showSearch } from './progress.js';

function shown(stream: { isTTY?: boolean; columns?: number }, env = {}): string {
  let text = '';
  const show = showSearch({ ...stream, write: (part: string) => (text += part) }, 'node c.mjs', env);
  const { progress } = createExploreReport();
  const events: ExploreEvent[] = [
    {
      type: 'start',
      scenarios: ['a', 'b'],
      seed: 7,
      schedules: 100,
      time: 'real',
      shard: { part: 2, of: 4 },
    },
    { type: 'progress', progress: { ...progress, elapsedMs: 100 } },
    { type: 'failure', failure: createFailure('mine') },
    { type: 'progress', progress: { ...progress, schedules: 40, phase: 'walk', elapsedMs: 5001 } },
    { type: 'progress', progress: { ...progress, schedules: 41, elapsedMs: 5002 } },
    { type: 'note', text: 'a\u001b[2J note' },
    { type: 'end', report: createExploreReport() },
  ];
  for (const event of events) show(event);
  return text;
}

describe('the progress of a search', () => {
  it('is plain lines in a file: failures at once, how far it is every few seconds, and at the end', () => {
    expect(shown({}).trimEnd().split('\n')).toEqual([
      'node c.mjs: 2 scenarios, 100 schedules at most, time real, seed 7, part 2 of 4',
      '✗ mine#replies/outcome first: another outcome in exchange 2',
      '40 of 100 schedules (random): 15 distinct, 2 not triggered, 3 failing; 212/s, 45.0 s left at most',
      'a\\u001b[2J note',
      '21 of 100 schedules (1 deviation): 15 distinct, 2 not triggered, 3 failing; 212/s',
    ]);
  });

  it('is one line that is written over in a terminal, cut to its width, and gone at the end', () => {
    const text = shown({ isTTY: true, columns: 40 }, { NO_COLOR: '1' });
    expect(text).toContain('\r\u001b[2K21 of 100 schedules (1 deviation): 15 d\r');
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
    expect(text.split('\n')).toHaveLength(7);
    expect(
      text
        .replaceAll('\r\u001b[2K', '\n')
        .split('\n')
        .every((line) => line.length <= 40),
    ).toBe(true);
    expect(shown({ isTTY: true }, { TERM: 'dumb' })).not.toContain('\r');
  });
});
