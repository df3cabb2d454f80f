import { expect, test } from 'vitest';
import { createRandom } from '../random.js';
import { generateOutput, generateSentence } from './sentences.js';

test('the same seed gives the same text, and texts differ', () => {
  expect(generateSentence(createRandom(1))).toBe(generateSentence(createRandom(1)));
  const random = createRandom(1);
  expect(new Set(Array.from({ length: 20 }, () => generateSentence(random))).size).toBeGreaterThan(15);
});

test('an output quotes its task on one line and stays short', () => {
  const task = `Find the cheapest\n flight to ${'very '.repeat(100)}far places \u{1f600}.`;
  for (let seed = 0; seed < 20; seed++) {
    const output = generateOutput(task, createRandom(seed));
    expect(output).toContain('"Find the cheapest flight to very');
    expect(output).not.toContain('\n');
    expect(output.length).toBeLessThan(300);
    expect(generateOutput(task, createRandom(seed))).toBe(output);
  }
});

test('an empty task has an output too', () => {
  for (let seed = 0; seed < 20; seed++)
    expect(generateOutput(' ', createRandom(seed))).toMatch(/[tT]he task|complete/);
});
