import { expect, it } from 'vitest';
import { removeMatches } from './lists.js';

it('gives each item a partner of its own, and returns those that have none', () => {
  const open = [1, 2, 2, 5];
  expect(removeMatches(['1', '2', '3', '2', '2'], open, (item, partner) => Number(item) === partner)).toEqual(
    ['3', '2'],
  );
  expect(open).toEqual([5]);
});
