import { describe, expect, it } from 'vitest';
import { formatError, readLine, readValue } from './result-line.js';

describe('the line of a command', () => {
  it('is the last line of stdout that is not empty', () => {
    expect(readLine('log\n{"status":"done"}\n\n  \n').line).toEqual({ status: 'done' });
    expect(readLine('{"a":1}\r\n{"status":"failed"}\r\n').line).toEqual({ status: 'failed' });
    expect(readLine('\uFEFF{"status":"done"}').line).toEqual({ status: 'done' });
  });

  it.each([
    ['', /stdout is empty/],
    [' \n\n', /stdout is empty/],
    ['{"status":"done"}\nbye', /no JSON.*"bye"/],
    ['{"status":', /no JSON/],
    ['[1]', /no object.*\[1\]/],
    ['null', /no object/],
    ['"done"', /no object/],
  ])('is missing in %j, with a reason', (stdout, problem) => {
    const read = readLine(stdout);
    expect(read.line).toBeUndefined();
    expect(read.problem).toMatch(problem);
    expect(read.problem).toMatch(/expected the last line to be one JSON object/);
  });
});

describe('the return value of a function', () => {
  it('is converted as by JSON', () => {
    expect(readValue({ status: 'done', output: undefined, results: [new Date(0)] }).line).toEqual({
      status: 'done',
      results: ['1970-01-01T00:00:00.000Z'],
    });
  });

  it('is a problem if it is not an object', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(readValue(undefined).problem).toMatch(/got nothing/);
    expect(readValue('done').problem).toMatch(/got "\\"done\\""/);
    expect(readValue(circle).problem).toMatch(/cannot be written as JSON/);
    expect(readValue(() => 1).problem).toMatch(/got "function"/);
    expect(readValue([1]).problem).toMatch(/expected the function to return an object/);
  });
});

it('every thrown value has a message', () => {
  expect(formatError(new Error('no luck'))).toBe('no luck');
  expect(formatError(new TypeError('fetch failed', { cause: new Error('refused') }))).toBe(
    'TypeError: fetch failed (refused)',
  );
  expect(formatError('gone')).toBe('gone');
  expect(formatError({ code: 1 })).toBe('{"code":1}');
  expect(formatError(undefined)).toBe('undefined');
  expect(
    formatError(
      Object.create(null, {
        toJSON: {
          value: () => {
            throw 1;
          },
        },
      }),
    ),
  ).toBe('something that cannot be shown');
});
