import { expect, it } from 'vitest';
import { judgeForms } from './first-failure.js';

/** Part of the bugs that the scenarios of the library find. */
const LEAST_FOUND = 0.85;

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

it('the library finds most bugs of these clients', async () => {
  const missed: string[] = [];
  let count = 0;
  for await (const { client, form, about, found } of judgeForms('bugs')) {
    count++;
    if (found === undefined) missed.push(`${client} ${form}: ${about}`);
  }
  expect(count).toBeGreaterThan(60);
  expect(1 - missed.length / count, missed.join('\n')).toBeGreaterThanOrEqual(LEAST_FOUND);
});
