import { expect, it } from 'vitest';
import { createMonotonicClock } from './wake-up-timer.js';

it('follows the wall clock, and continues from where it was when the wall clock is set back', () => {
  let wall = 1000;
  const now = createMonotonicClock(() => wall);
  wall = 1500;
  expect(now()).toBe(1500);
  wall = 200;
  expect(now()).toBe(1500);
  wall = 300;
  expect(now()).toBe(1600);
  wall = 100;
  expect(now()).toBe(1600);
  wall = 150;
  expect(now()).toBe(1650);
});
