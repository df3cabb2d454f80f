import { describe, expect, it } from 'vitest';
import { awaitTurn } from '../../mock/clock/real.js';
import { ScriptThread } from '../../mock/evaluate/script-thread.js';
import { createRandom } from '../../mock/generate/random.js';
import { startMock } from '../support/mock/mock.js';

/** By its steps; on a machine that is very busy, by its time. */
const STEPS = /^The script was stopped after (10000000 steps|10 s)\.$/;
const MEMORY = 'The script needs more memory than the 64 MB that there are.';
const UNSETTLED = 'The promise of the script is never settled: nothing is left that could settle it.';
const STACK = 'InternalError: stack overflow';

/** Scripts that never end, or that take as much as they can; and what becomes of each. */
const SCRIPTS: readonly [name: string, js: string, output: string | RegExp][] = [
  ['random numbers without end', 'for (;;) Math.random()', STEPS],
  ['a loop', 'while (true) {}', STEPS],
  ['a loop of microtasks', 'for (;;) await 0', STEPS],
  [
    'microtasks that queue microtasks',
    'const f = () => queueMicrotask(f); f(); new Promise(() => {})',
    STEPS,
  ],
  ['promises that wait for promises', 'const f = () => Promise.resolve().then(f); f()', /steps|memory/],
  ['a thenable that resolves to itself', 'const t = { then: (done) => done(t) }; t', STEPS],
  ['timers for ever', 'const f = () => setTimeout(f, 1); f(); new Promise(() => {})', STEPS],
  ['ever more timers', 'const f = () => { setTimeout(f); setTimeout(f) }; f(); new Promise(() => {})', STEPS],
  ['a promise never settled', 'new Promise(() => {})', UNSETTLED],
  ['a pattern that backtracks', '"a".repeat(1e6).replace(/(a?)(a?)(a*)*b/, "")', STEPS],
  [
    'a long replacement',
    '"a".repeat(1e6).replace(/a/g, "$&$&$&")',
    /^The result has 3000012 characters as JSON/,
  ],
  ['text that doubles', 'let s = "x"; for (;;) s += s', 'InternalError: string too long'],
  [
    'an array of holes',
    'const a = []; a.length = 2 ** 32 - 1; a.indexOf(1)',
    'RangeError: Invalid array length',
  ],
  ['arrays in arrays', 'Array.from({ length: 1e6 }, () => new Array(1e6).fill(1))', MEMORY],
  ['a map that grows', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })', MEMORY],
  ['a buffer', 'new ArrayBuffer(2 ** 31)', 'RangeError: invalid array buffer length'],
  ['recursion', 'const f = () => [f()]; f()', STACK],
  ['asynchronous recursion', 'const f = async () => { await f() }; f()', STACK],
  [
    'deep JSON',
    'JSON.parse("[".repeat(1e6) + "]".repeat(1e6))',
    /^(SyntaxError: stack overflow|The script was stopped because the interpreter cannot run it\.)$/,
  ],
  ['a generator in itself', 'function* g() { yield* g() } [...g()]', STACK],
  ['a generator without end', 'function* g() { for (;;) yield 1 } for (const x of g());', STEPS],
  [
    'an asynchronous generator',
    'async function* g() { for (;;) yield 1 } for await (const x of g());',
    STEPS,
  ],
  ['a proxy that reads itself', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x', STACK],
  ['a proxy as the error', 'throw new Proxy(new Error("x"), { get() { for (;;); } })', STEPS],
  ['a loop in toJSON', '({ toJSON() { for (;;); } })', STEPS],
  ['a loop in toString of the error', 'throw { toString() { for (;;); } }', STEPS],
  ['a result that holds itself', 'const o = {}; o.o = o; o', 'TypeError: circular reference'],
  ['large integers', '10n ** 1000000n', 'RangeError: BigInt is too large to allocate'],
];

describe('scripts that take time and memory', () => {
  it('each get an outcome without words of the interpreter, and polls of another client are answered meanwhile', async () => {
    const { send, create, poll, sendEvent, control } = await startMock();
    const others = await create({ task: null }, 'other');
    // The interpreter is loaded.
    const first = { name: 'evaluate_js', input: { js: '6*7' } };
    await sendEvent(others, { id: 's', name: 'browser_action', payload: first }, 'other');
    const responses: string[] = [];
    const record = async (name: string, request: Promise<unknown>) => {
      await request;
      responses.push(name);
    };
    const sessions = await Promise.all(SCRIPTS.map(([name]) => create({ task: null }, name)));
    const sent = SCRIPTS.map(([name, js], i) => {
      const payload = { name: 'evaluate_js', input: { js } };
      return record(name, sendEvent(sessions[i]!, { id: 's', name: 'browser_action', payload }, name));
    });
    // Of the same key: handled in arrival order.
    const usage = record('usage', send('GET', '/usage', undefined, SCRIPTS[1]![0]));
    let polls = 0;
    for (; responses.length === 0; polls++) {
      // Requests over a port arrive in turns of the event loop. In the same thread there are some ten of them before the script.
      await awaitTurn();
      await poll(others, 0, 'other');
    }
    expect(polls).toBeGreaterThan(100);
    await Promise.all([...sent, usage]);
    expect(responses.indexOf('usage')).toBeGreaterThan(responses.indexOf(SCRIPTS[1]![0]));
    const outcomes = [];
    for (const [i, [name, , output]] of SCRIPTS.entries()) {
      await control.clock.set({ advance: 10_000 }, name);
      const [event] = (await poll(sessions[i]!, 0, name)).r.events;
      outcomes.push([name, event?.payload, output]);
    }
    expect(outcomes.map(([name, payload]) => [name, payload])).toEqual(
      outcomes.map(([name, , output]) => [
        name,
        { code: 500, output: output instanceof RegExp ? expect.stringMatching(output) : output },
      ]),
    );
  });

  it('the manual clock waits for a script that was sent before', async () => {
    const { create, poll, sendEvent, control } = await startMock({ startMs: 1_800_000_000_000 });
    const id = await create({ task: null });
    const payload = { name: 'evaluate_js', input: { js: 'Date.now()' } };
    const sent = sendEvent(id, { id: 's', name: 'browser_action', payload });
    await control.clock.set({ advance: 5000 }, 'a');
    await sent;
    const [event] = (await poll(id)).r.events;
    expect(event?.payload.output.output).toBe(1_800_000_000_000);
  });
});

describe('the thread of scripts', () => {
  const page = { url: 'https://a.example', title: '', description: '' };
  const script = (js: string) => ({ js, args: null, page, now: 0, random: createRandom('').saveState() });

  it('is ended where a built-in function takes too long, and the next script has another', async () => {
    const thread = new ScriptThread(1000);
    // A search that counts no steps: 250 thousand million comparisons.
    const js = '("a".repeat(1e6)).lastIndexOf("a".repeat(5e5) + "b")';
    const outcomes = await Promise.all([js, '6*7'].map((each) => thread.run(script(each))));
    expect(outcomes).toEqual([
      { code: 500, output: 'The script was stopped after 1 s.' },
      { code: 200, output: 42 },
    ]);
    await thread.close();
  });

  it('serves again after it was closed', async () => {
    const thread = new ScriptThread();
    for (let times = 0; times < 2; times++) {
      expect(await thread.run(script('6*7'))).toEqual({ code: 200, output: 42 });
      await thread.close();
    }
  });
});
