import { expect, it } from 'vitest';
import { judgeForms } from './first-failure.js';

/** Parts of the bugs that the scenarios of the library find, and together with `SEARCH` generated conversations. */
const LEAST_FOUND = 0.88;
const LEAST_FOUND_BY_SEARCH = 0.96;
const SEARCH = 200;

it('the library fails no permitted style of a client that was written from the description alone', async () => {
  const failed: string[] = [];
  let count = 0;
  for await (const { client, form, found } of judgeForms('styles')) {
    count++;
    if (found !== undefined) failed.push(`${client} ${form}: ${found}`);
  }
  expect(failed).toEqual([]);
  expect(count).toBeGreaterThan(40);
});

it('the library and generated conversations find most bugs of these clients', async () => {
  const missed: string[] = [];
  const searched: string[] = [];
  let count = 0;
  for await (const { client, form, about, found } of judgeForms('bugs', { search: SEARCH })) {
    count++;
    if (found === undefined) missed.push(`${client} ${form}: ${about}`);
    else if (found.startsWith('generated/')) searched.push(form);
  }
  expect(count).toBeGreaterThan(60);
  expect(1 - missed.length / count, missed.join('\n')).toBeGreaterThanOrEqual(LEAST_FOUND_BY_SEARCH);
  const late = missed.length + searched.length;
  expect(1 - late / count, searched.join('\n')).toBeGreaterThanOrEqual(LEAST_FOUND);
});
