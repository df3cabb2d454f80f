import { expect, it } from 'vitest';
import { searchMock } from '../../../test/mutants/search-mock.js';
import { needs } from '../../../test/permitted/table/needs.js';

const NAMES = [
  'needs the start page of a session',
  'says which devices there are',
  'takes one tool at most',
  'needs a region, which the description does not name',
  'needs three fields, and says so at once',
  'takes times of events in seconds',
];

it.each(NAMES)('generated sequences fail nothing of a service that %s', async (name) => {
  const { wrap } = needs.find((each) => each.name === name)!;
  const report = await searchMock(40, (fetch) => wrap(fetch, { now: () => 0 }));
  const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
  expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  expect(report.left).toEqual([]);
  expect(report.needs?.length).toBeGreaterThan(0);
  const { observations } = report.sequences!;
  // The first refusal of an empty text may be about the text: its reason shows a need only later.
  const isAboutNeed = ({ about, condition }: (typeof observations)[number]) =>
    about === 'status' && condition !== 'the text ""';
  expect(observations.filter(isAboutNeed)).toEqual([]);
});
