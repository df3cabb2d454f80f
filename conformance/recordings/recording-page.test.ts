import { expect, it } from 'vitest';
import { readRecordingPage } from './recording-page.js';

const JOURNAL = 'fixtures/conversations/session.jsonl';

it('the page of a large recording has its first exchanges, the findings about them, and says so', async () => {
  const whole = await readRecordingPage([JOURNAL]);
  const count = whole.page.exchanges.length;
  const { page, notes } = await readRecordingPage([JOURNAL], undefined, 3);
  expect(page.exchanges.map(({ seq, unrecorded }) => [seq, unrecorded])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, ['after']],
  ]);
  expect(notes).toEqual([
    expect.stringMatching(`^the first 3 exchanges of ${count} are shown, with \\d of \\d findings?: split`),
  ]);
  expect(whole.notes).toEqual([]);
});
