import { describe, expect, it, vi } from 'vitest';
import { createRandom } from '../generate/random.js';
import { Interpreter } from './interpreter.js';

const page = { url: 'https://shop.example/tea?x=1#top', title: 'Tea', description: 'All about tea.' };
const now = Date.parse('2026-01-02T15:04:05.678Z');
const interpreter = await Interpreter.load();

function run(js: string, args?: unknown) {
  return interpreter.run({ js, args, page, now, random: createRandom('seed').saveState() });
}

describe('a script', () => {
  it.each([
    ['an expression', '6*7', 42],
    ['an object', '{ a: 1 }', { a: 1 }],
    ['a function, which is called with args', '(a, b) => a * b', 6],
    ['a function by name', 'function add(a, b) { return a + b }', 5],
    ['an async function', 'async (a) => a + (await 1)', 3],
    ['statements, of which the last value counts', 'let y = 3; y * 2;', 6],
    ['the body of a function', 'const y = args[1]; return y', 3],
    ['the body of an async function', 'const y = await Promise.resolve(5); return y', 5],
    ['an expression with await', 'await Promise.resolve(6)', 6],
    ['statements that end with a promise', 'async function main() { return 7 } main();', 7],
    ['a promise that a timer settles', 'new Promise((done) => setTimeout(done, 5000, 8))', 8],
    ['what is not JSON', '[undefined, NaN, () => 1]', [null, null, null]],
    ['nothing', 'undefined', null],
  ])('is %s', (_, js, output) => expect(run(js, [2, 3])).toEqual({ code: 200, output }));

  it.each([
    ['a value that is not a list is the only argument', { n: 1 }, [[{ n: 1 }], { n: 1 }]],
    [
      'a list is the list of arguments',
      [1, 2],
      [
        [1, 2],
        [1, 2],
      ],
    ],
    ['none', null, [[], null]],
  ])('gets args: %s', (_, args, output) =>
    expect(run('(...all) => [all, args]', args)).toEqual({ code: 200, output }),
  );

  it.each([
    ['a syntax error', 400, 'let x = ;', "SyntaxError: unexpected token in expression: ';'"],
    ['an end that comes too soon', 400, 'f(', "SyntaxError: unexpected token in expression: ''"],
    ['an exception', 500, 'throw new Error("on purpose")', 'Error: on purpose'],
    ['an exception that is no error', 500, 'throw 7', 'Uncaught 7'],
    ['a rejected promise', 500, 'Promise.reject(new RangeError("no"))', 'RangeError: no'],
    ['an unknown name', 500, 'nope()', "ReferenceError: 'nope' is not defined"],
    ['a property of null', 500, 'null.x', "TypeError: cannot read property 'x' of null"],
    ['a constant', 500, 'const a = 1; a = 2', "TypeError: 'a' is read-only"],
    ['recursion without end', 500, 'const f = () => f(); f()', expect.stringMatching(/stack/)],
    ['a circle', 500, 'const o = {}; o.o = o; o', 'TypeError: circular reference'],
    [
      'a promise that nothing settles',
      500,
      'new Promise(() => {})',
      expect.stringContaining('never settled'),
    ],
    [
      'a timer that throws',
      500,
      'setTimeout(() => { throw Error("late") }); new Promise(() => {})',
      'Error: late',
    ],
    ['the network', 500, 'fetch("https://a.example")', 'TypeError: Failed to fetch'],
    [
      'a deep result',
      500,
      'let d; for (let i = 0; i < 99; i++) d = [d]; d',
      expect.stringContaining('too deep'),
    ],
    ['a long result', 500, '"x".repeat(300000)', expect.stringContaining('at most 262144')],
  ])('that fails with %s results in %i and a message', (_, code, js, output) =>
    expect(run(js)).toEqual({ code, output }),
  );

  it.each([
    ['a loop', 'while (true) {}', '10000000 steps'],
    ['microtasks', 'for (;;) await 0', '10000000 steps'],
    ['timers', 'const f = () => setTimeout(f); f(); new Promise(() => {})', '10000000 steps'],
    ['random numbers', 'for (;;) Math.random()', '10000000 steps'],
    ['a loop that catches everything', 'for (;;) try { while (true) {} } catch {}', '10000000 steps'],
    ['a pattern', '/(a+)+$/.test("a".repeat(40) + "b")', '10000000 steps'],
    ['text', '"x".repeat(2 ** 29)', '64 MB'],
    ['an array', 'const a = []; for (;;) a.push("x".repeat(1e5) + a.length)', '64 MB'],
    ['an array of holes', 'const a = []; a.length = 2 ** 32 - 1; a.indexOf(1)', 'Invalid array length'],
  ])('without end is stopped: %s', (_, js, limit) => {
    expect(run(js)).toEqual({ code: 500, output: expect.stringContaining(limit) });
    expect(run('6*7')).toEqual({ code: 200, output: 42 });
    expect(interpreter.isBroken).toBe(false);
  });

  it('that breaks the interpreter results in a message, not in its assertion', async () => {
    const own = await Interpreter.load();
    vi.spyOn(console, 'error').mockReturnValue();
    const js = 'JSON.parse("[".repeat(1e6) + "]".repeat(1e6))';
    const { code, output } = own.run({ js, args: null, page, now, random: createRandom('').saveState() });
    vi.restoreAllMocks();
    expect(code).toBe(500);
    // The result depends on the stack size of the thread.
    expect(output).toMatch(
      /^(SyntaxError: stack overflow|The script was stopped because the interpreter cannot run it\.)$/,
    );
  });

  it('has no access to this process or to the state of earlier scripts', () => {
    run('globalThis.left = 1; Array.prototype.map = null; document.title = "Changed"');
    const js = '[typeof process, typeof require, typeof left, [1].map(String), document.title]';
    expect(run(js).output).toEqual(['undefined', 'undefined', 'undefined', ['1'], 'Tea']);
    expect(run('globalThis.constructor.constructor("return process")()').code).toBe(500);
    expect(run('import("node:fs")').code).toBe(500);
  });
});

describe('the page of a script', () => {
  it.each([
    ['document.title', 'Tea'],
    ['location.href', page.url],
    [
      '[location.host, location.pathname, location.search, location].join(" ")',
      `shop.example /tea ?x=1 ${page.url}`,
    ],
    ['window === globalThis && document.location === location', true],
    ['document.querySelector("body h1").textContent', 'Tea'],
    [
      '[...document.querySelectorAll("a[href], p")].map((e) => e.tagName + e.innerText)',
      ['PAll about tea.', 'ATea'],
    ],
    ['document.querySelector(".none")', null],
    ['document.querySelector("p").outerHTML', '<p>All about tea.</p>'],
    ['document.querySelector("a").closest("html") === document.documentElement', true],
    ['document.body', {}],
  ])('%s', (js, expected) => expect(run(js).output).toEqual(expected));

  it('names the supported selectors', () => {
    const output = expect.stringContaining('tag, #id, .class, [attribute], descendants and lists');
    expect(run('document.querySelector("html > body")')).toEqual({ code: 500, output });
  });

  it('has the time of the session, in UTC on any machine, and its seed', () => {
    const js = `[Date.now(), new Date().toISOString(), String(new Date()), new Date().toLocaleString(), new Date().getHours(),
      new Date(2020, 0, 1).getTime(), Date.parse('2020-01-01T00:00:00'), +new Date('2020-01-01'), +new Date(new Date(5)),
      new Date().getTimezoneOffset(), String(new Date(NaN)), new Date(0) instanceof Date, performance.now()]`;
    const at = Date.UTC(2020, 0, 1);
    expect(run(js).output).toEqual([
      now,
      '2026-01-02T15:04:05.678Z',
      'Fri, 02 Jan 2026 15:04:05 GMT',
      'Fri, 02 Jan 2026 15:04:05 GMT',
      15,
      at,
      at,
      at,
      5,
      0,
      'Invalid Date',
      true,
      0,
    ]);
    const { output } = run('[Math.random(), Math.random()]');
    expect(run('[Math.random(), Math.random()]').output).toEqual(output);
    expect(new Set(output as number[]).size).toBe(2);
  });

  it('lets time pass while a script waits, and only then', () => {
    const js =
      'const from = Date.now(); await new Promise((r) => setTimeout(r, 1500)); return Date.now() - from';
    expect(run(js).output).toBe(1500);
  });
});
