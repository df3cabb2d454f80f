import { expect, test } from 'vitest';
import { createRandom } from '../random.js';
import { plausibleOutput, sentence } from './sentences.js';

test('the same seed gives the same text, and texts differ', () => {
  expect(sentence(createRandom(1))).toBe(sentence(createRandom(1)));
  const random = createRandom(1);
  expect(new Set(Array.from({ length: 20 }, () => sentence(random))).size).toBeGreaterThan(15);
});

test('an output quotes its task on one line and stays short', () => {
  const task = `Find the cheapest\n flight to ${'very '.repeat(100)}far places \u{1f600}.`;
  for (let seed = 0; seed < 20; seed++) {
    const output = plausibleOutput(task, createRandom(seed));
    expect(output).toContain('"Find the cheapest flight to very');
    expect(output).not.toContain('\n');
    expect(output.length).toBeLessThan(300);
    expect(plausibleOutput(task, createRandom(seed))).toBe(output);
  }
});

test('an empty task has an output too', () => {
  for (let seed = 0; seed < 20; seed++)
    expect(plausibleOutput(' ', createRandom(seed))).toMatch(/[tT]he task|complete/);
});
