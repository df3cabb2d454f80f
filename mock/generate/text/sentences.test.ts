import { expect, test } from 'vitest';
import { createRandom } from '../random.js';
import { generateOutput } from './property-texts.js';

test('the outputs of different seeds differ', () => {
  const outputs = Array.from({ length: 20 }, (_, seed) => generateOutput('x', createRandom(seed)));
  expect(new Set(outputs).size).toBeGreaterThan(15);
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
