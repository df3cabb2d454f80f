import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMock } from '../../index.js';
import { createScenario, startMock } from '../../test/support/mock/mock.js';
import { loadInterpreter } from './run-here.js';

const script = (id: string, js: string, args?: unknown) => ({
  id,
  name: 'browser_action',
  payload: { name: 'evaluate_js', input: { js, args } },
});
const goto = (id: string, url: string) => ({
  id,
  name: 'browser_action',
  payload: { name: 'goto', input: { url } },
});

async function start(options: Parameters<typeof startMock>[0] = {}) {
  const mock = await startMock(options);
  const pass = (ms: number) => mock.control.clock.set({ advance: ms }, 'a');
  const results = async (session: string) =>
    Object.fromEntries(
      (await mock.poll(session)).r.events.map((event: { id: string; payload: object }) => [
        event.id,
        event.payload,
      ]),
    );
  return { ...mock, pass, results };
}

describe('evaluate_js', () => {
  it('runs the script in the current page of the session, with the title that extract returns', async () => {
    const { create, sendEvent, pass, results } = await start();
    const id = await create({ task: null, url: 'https://a.example/start' });
    await sendEvent(id, script('here', '[location.pathname, args.n * 7]', { n: 6 }));
    await sendEvent(id, goto('go', 'https://b.example/next'));
    await sendEvent(id, script('there', '[location.href, document.title]'));
    const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
    await sendEvent(id, { id: 'x', name: 'browser_action', payload: { name: 'extract', input: { schema } } });
    await pass(5000);
    const { here, there, x } = await results(id);
    expect(here).toEqual({
      code: 200,
      output: { output: ['/start', 42], credits_used: 0, duration: expect.any(Number) },
    });
    expect(there.output.output).toEqual(['https://b.example/next', x.output.output.title]);
  });

  it('returns a bare value if the dialect requires it, and an error message in any dialect', async () => {
    const { create, sendEvent, pass, results } = await start({ dialect: { 'event.result-shape': 'bare' } });
    const id = await create({ task: null });
    await sendEvent(id, script('good', '6*7'));
    await sendEvent(id, script('throws', 'throw new TypeError("on purpose")'));
    await sendEvent(id, script('wrong', 'let x = ;'));
    await pass(5000);
    expect(await results(id)).toEqual({
      good: { code: 200, output: 42 },
      throws: { code: 500, output: 'TypeError: on purpose' },
      wrong: { code: 400, output: "SyntaxError: unexpected token in expression: ';'" },
    });
  });

  it('uses the time and the seed of the session: the same script gives the same result', async () => {
    const seen = async (seed: number) => {
      const { create, sendEvent, pass, results } = await start({ seed, startMs: 1_800_000_000_000 });
      const id = await create({ task: null });
      await sendEvent(id, script('s', '[Date.now(), Math.random()]'));
      await pass(1000);
      return (await results(id)).s.output.output;
    };
    const first = await seen(1);
    expect(first[0]).toBe(1_800_000_000_000);
    expect(await seen(1)).toEqual(first);
    expect((await seen(2))[1]).not.toBe(first[1]);
  });

  it('uses the result of the scenario, or its own if the scenario defines only the time', async () => {
    const timeline = (result: object) =>
      [
        { client: 'action', id: 'run', name: 'evaluate_js' },
        { service: 'result', to: 'run', ...result },
        { client: 'close' },
      ] as Parameters<typeof createScenario>[1];
    for (const [result, payload] of [
      [{ output: 'scripted' }, { code: 200, output: { output: 'scripted' } }],
      [
        { code: 500, output: 'scripted' },
        { code: 500, output: 'scripted' },
      ],
      [{ after: { time_ms: 500 } }, { code: 200, output: { output: 42, duration: 0.5 } }],
    ] as const) {
      const { create, sendEvent, pass, results, control } = await start({
        scenarios: [createScenario('runs', timeline(result), { task: null })],
      });
      await control.scenarios.queue('runs');
      const id = await create({ task: null });
      await sendEvent(id, script('s', '6*7'));
      await pass(1000);
      expect((await results(id)).s).toMatchObject(payload);
    }
  });

  it('keeps the order of the requests while the interpreter is loaded', async () => {
    const { create, sendEvent, send, pass, results, control } = await start();
    const id = await create({ task: null });
    await Promise.all([
      sendEvent(id, script('first', '1')),
      sendEvent(id, goto('second', 'https://a.example')),
      send('GET', '/usage'),
      sendEvent(id, script('third', '3')),
    ]);
    const handled = control.journal({ key: 'a' }).map(({ operation, request }) => [operation, request.body]);
    await pass(5000);
    expect(Object.keys(await results(id))).toEqual(['first', 'second', 'third']);
    expect(handled.map(([operation]) => operation)).toEqual([
      'createTask',
      'sendTaskEvent',
      'sendTaskEvent',
      'getUsage',
      'sendTaskEvent',
    ]);
  });

  it('continues from a snapshot created between the script and its result', async () => {
    const one = await start();
    const id = await one.create({ task: null });
    await one.sendEvent(id, script('s', '[Math.random(), 7]'));
    await one.sendEvent(id, script('bad', 'throw 1'));
    const state = one.control.snapshot();
    const other = await start();
    await other.control.restore(JSON.parse(JSON.stringify(state)));
    await one.pass(1000);
    await other.pass(1000);
    const { s, bad } = await one.results(id);
    expect(s.output.output[1]).toBe(7);
    expect(bad).toEqual({ code: 500, output: 'Uncaught 1' });
    expect(await other.results(id)).toEqual({ s, bad });
  });

  it('uses no virtual time besides that of the action', async () => {
    const mock = createMock({ clock: 'manual' });
    const headers = { apikey: 'k', 'content-type': 'application/json' };
    const send = async (path: string, body?: object) => {
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
      return (await (await mock.fetch(`/api/v1${path}`, init)).json()) as {
        r: { id: string; events: { payload: object }[] };
      };
    };
    const value = await mock.time.run(async () => {
      const { id } = (await send('/task', { task: null })).r;
      const before = Date.now();
      await send(`/task/${id}/event`, script('s', '6*7'));
      const after = Date.now();
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const [event] = (await send(`/task/${id}`)).r.events;
        if (event) return { took: after - before, payload: event.payload };
      }
    });
    expect(value).toMatchObject({ took: 0, payload: { code: 200, output: { output: 42 } } });
    await mock.close();
  });
});

describe('an interpreter that cannot be loaded', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.resetModules();
  });

  it('gives a result of code 500 with the reason, and no failed request', async () => {
    vi.resetModules();
    vi.spyOn(console, 'error').mockReturnValue();
    // A page whose content security policy forbids WebAssembly.
    vi.spyOn(WebAssembly, 'instantiate').mockRejectedValue(
      new WebAssembly.CompileError('blocked by the policy'),
    );
    const { runHere } = await import('./run-here.js');
    expect(await runHere({} as Parameters<typeof runHere>[0])).toEqual({
      code: 500,
      output: expect.stringMatching(/cannot run scripts here.*blocked by the policy/),
    });
  });
});

it('an interpreter that a script has broken is replaced', async () => {
  const first = await loadInterpreter();
  expect(await loadInterpreter()).toBe(first);
  first.isBroken = true;
  expect(await loadInterpreter()).not.toBe(first);
});
