import { describe, expect, it } from 'vitest';
import type { ListedRule } from '../../../mock/network/rule-book.js';
import { requirements } from '../../../spec/generated/documents.js';
import { buildPlainExchanges, createRun } from '../../../test/support/client/run.js';
import {
  createToolCall,
  ExchangeBuilder,
  GOTO,
  START_MS,
} from '../../../test/support/rules/exchange-builder.js';
import { describeDefect } from '../../causes/causes.js';
import type { ClientRun, Job, LeftOpen, ServiceTask } from '../types.js';
import { judgeRun } from './verdict.js';

const at = (n: number) => START_MS + n;
const WEATHER = { name: 'get_weather', input: {} };
const TOOLS: Job['tools'] = {
  get_weather: [
    { code: 200, output: 21 },
    { code: 500, output: 'no' },
  ],
};
const done = { status: 'done', output: 'It is done.', results: [], tool_runs: [] };
const ranOnce = { ...done, tool_runs: [WEATHER] };
const limited = { status: 429, body: { detail: 'slow down' } };
const pollsMissing = () => {
  const talk = new ExchangeBuilder().create().poll(0);
  for (let n = 0; n < 11; n++)
    talk.wait(500).addExchange(poll, { status: 404, body: { detail: 'no such task' } });
  return talk;
};
const poll = { path: '/task/t1?event_t=0' };
const called = () => new ExchangeBuilder().create().poll(0, { events: [createToolCall('c1', 5)] });
const replied = () => called().reply('c1').complete(at(5));
const withTools = (talk: ExchangeBuilder, line: ClientRun['line'], more = {}) =>
  createRun(talk, { job: { tools: TOOLS }, line, ...more });

const SESSION = { task: null };
const session = () => new ExchangeBuilder().create(SESSION);
const resultOf = (id: string, n: number, output: unknown = null, code = 200) => ({
  id,
  name: 'browser_action',
  payload: { code, output },
  timestamp: at(n),
});
const EXTRACT = { name: 'extract', input: { schema: {} } };
const two: Partial<Job> = {
  request: SESSION,
  actions: [
    { name: 'browser_action', payload: GOTO },
    { name: 'browser_action', payload: EXTRACT },
  ],
  close: 'event',
};
const CLOSE = { name: 'close' };
const closing = (response: { status: number }) =>
  session().sendAction('z', CLOSE, response, 'session_action');
/** Both actions, then the close; each with a response. The second has this input. */
const wholeSessionWith = (input: unknown) =>
  session()
    .sendAction('a')
    .poll(0, { events: [resultOf('a', 5)] })
    .sendAction('b', { name: 'extract', input })
    .poll(at(5), { events: [resultOf('b', 6, { output: 'x', credits_used: 1, duration: 2 })] })
    .sendAction('z', CLOSE, undefined, 'session_action')
    .poll(at(6), { events: [{ ...resultOf('z', 7, true), name: 'session_action' }] });
const wholeSession = () => wholeSessionWith(EXTRACT.input);
const told = [
  { name: 'goto', code: 200, output: null },
  { name: 'extract', code: 200, output: { output: 'x', credits_used: 1, duration: 2 } },
];
const inSession = (talk: ExchangeBuilder, line: ClientRun['line'], more = {}) =>
  createRun(talk, { job: two, line, ...more });
/** The first action of the talk goes out again under another id. */
const performedTwice = (talk: ExchangeBuilder) =>
  inSession(
    talk
      .sendAction('a2')
      .poll(0, { events: [resultOf('a', 5), resultOf('a2', 6, null, 500)] })
      .complete(at(6), { output: null }),
    { ...done, output: null, results: [told[0], { ...told[0], code: 500 }] },
    { exitCode: 1 },
  );
const closed = { status: 'running', output: null, results: told, tool_runs: [] };

const sameInstant = { rule: { network: 'same-instant' }, fired: 1 } as unknown as ListedRule;
const neverCame: ServiceTask[] = [
  {
    id: 't1',
    status: 'running',
    calls: [{ id: 'c2', step: 'second', tool: 'get_weather', reply: undefined }],
    actions: [],
  },
];
const stillRunning: ServiceTask[] = [{ ...neverCame[0]!, calls: [] }];
const madeThenPolled: ClientRun['trace'] = [
  { what: 'step', name: 'tool_call second', step: 'second', task: 't1', at: at(5) },
  { what: 'response', name: 'poll#2', kind: 'poll', status: 202, events: [], seq: 3, at: at(600) },
];

const stoppedByDelete = () =>
  inSession(
    session()
      .sendAction('a')
      .poll(0, { events: [resultOf('a', 5)] })
      .sendAction('b', EXTRACT)
      .poll(at(5), { events: [resultOf('b', 6, { output: 'x', credits_used: 1, duration: 2 })] })
      .addExchange({ method: 'DELETE', path: '/task/t1' }, { body: { r: true } }),
    closed,
  );
const inCity = (city: string) => ({ name: 'get_weather', input: { city } });
const weather = (id: string, n: number, city: string) => ({
  ...createToolCall(id, n),
  payload: inCity(city),
});

/** A session whose only action has a result with an unknown code. */
const oddResult = () =>
  session()
    .sendAction('a')
    .poll(0, { events: [resultOf('a', 5, 'a teapot', 418)] })
    .sendAction('z', CLOSE, undefined, 'session_action')
    .complete(at(5), { output: null });
/** The response with the result took 11 s of the service's time. */
const slow = () =>
  session()
    .sendAction('a')
    .addExchange(
      { path: '/task/t1?event_t=0' },
      { status: 202, body: { r: { id: 't1', status: 'running', events: [resultOf('a', 5)] } } },
      11_000,
    );
const gaveUpAtResult = { status: 'running', output: null, results: [], tool_runs: [], error: 'no result' };
/** Each exchange takes so long on the client's clock, ms. */
const wallTimes = ({ exchanges }: ExchangeBuilder, took_ms: number): ClientRun['wall'] =>
  new Map(exchanges.map(({ seq }) => [seq, { arrived: seq * 1000, left: seq * 1000 + took_ms }] as const));
/** Two calls, the second of which was read in two responses and replied to by another run than the second. */
const listedAgain = () =>
  new ExchangeBuilder()
    .create()
    .poll(0, { events: [weather('c1', 5, 'Lima')] })
    .reply('c1', { code: 200, output: 21 })
    .poll(at(5), { events: [weather('c2', 6, 'Quito')] })
    .reply('c2', { code: 500, output: 'no' })
    .poll(at(6), { events: [weather('c2', 6, 'Quito')] });
const CANCEL = { method: 'DELETE', path: '/task/t1' };
const oneGoto: Partial<Job> = { request: SESSION, actions: two.actions!.slice(0, 1), close: 'event' };
/** The first action has come to this code. */
const opened = (code = 200) =>
  session()
    .sendAction('a')
    .poll(0, { events: [resultOf('a', 5, null, code)] });
const openedLine = (code = 200, more = {}) => ({
  status: 'running',
  output: null,
  results: [{ name: 'goto', code, output: null }],
  tool_runs: [],
  ...more,
});
/** The network made the last response. */
function byNetwork(talk: ExchangeBuilder): ExchangeBuilder {
  talk.exchanges.at(-1)!.network = [{ effect: 'replaced', note: 'refused' }];
  return talk;
}
const gaveUpLine = (error: string) => ({ ...done, status: 'running', output: null, error });
const inVain = (talk: ExchangeBuilder, eventT: number, polls: number) => {
  for (let n = 0; n < polls; n++) talk.poll(eventT);
  return talk;
};
/** At the service the task goes on and waits for the reply. */
const waitsForReply: ServiceTask[] = [
  { ...neverCame[0]!, calls: [{ id: 'c1', step: undefined, tool: 'get_weather', reply: undefined }] },
];
const WHOLE = {
  task: 'Do it',
  device: 'mobile',
  url: 'https://shop.example',
  files: [],
  profile_id: null,
  custom_tools: [{ name: 'get_weather', description: 'x', inputs: { type: 'object', required: ['a', 'b'] } }],
  response_model: { type: 'object', properties: { price: { type: 'number' } } },
};
const created = (told: Job['request'], sent: Record<string, unknown>, job: Partial<Job> = {}) =>
  createRun(new ExchangeBuilder().create(sent).poll(undefined).complete(undefined), {
    job: { request: told, tools: { get_weather: [{ code: 200, output: null }] }, ...job },
  });

const good: Record<string, ClientRun> = {
  'gives up at a single 429 to a reply': withTools(
    called().reply('c1', undefined, limited),
    { ...gaveUpLine('limited'), tool_runs: [WEATHER] },
    { exitCode: 1 },
  ),
  'closes a session without actions by DELETE before the time of a cancel': createRun(
    session().addExchange(CANCEL, {}).complete(0, { status: 'cancelled', output: null }),
    {
      job: { request: SESSION, close: 'event', cancel_after_ms: 900 },
      line: { ...done, status: 'cancelled', output: null },
      exitCode: 1,
    },
  ),
  'gives up at once where its close is refused': createRun(byNetwork(closing({ status: 400 })), {
    job: { request: SESSION, close: 'event' },
    line: gaveUpLine('the close was refused'),
    exitCode: 1,
  }),
  'leaves out a field that is optional': created(
    { ...WHOLE, session_id: 's', max_steps: 2 },
    { ...WHOLE, session_id: null },
    { optional_fields: ['session_id', 'max_steps'] },
  ),
  'a request with more in it than the job has': created(WHOLE, {
    ...WHOLE,
    url: 'https://shop.example/',
    files: undefined,
    agent: 'smooth',
    custom_tools: [
      { ...WHOLE.custom_tools[0], inputs: { required: ['b', 'a'], type: 'object', title: 'In' } },
    ],
  }),
  'a tool left out that the client cannot run': created(
    WHOLE,
    { ...WHOLE, custom_tools: undefined },
    { tools: {} },
  ),
  'a tool registered that the client cannot run': created(WHOLE, WHOLE, { tools: {} }),
  'a field that is left out, as the job has its default': created(
    { task: 'Do it', device: 'desktop', max_steps: 32 },
    { task: 'Do it' },
  ),
  'a session without the field task': created({ task: null }, { url: null }),
  'a session left open by a client that gave up at a lost response': createRun(
    opened().addExchange(poll, null),
    {
      job: two,
      line: openedLine(200, { error: 'no answer' }),
      exitCode: 1,
    },
  ),
  'a session left open that the service has ended': createRun(opened(500), {
    job: oneGoto,
    line: openedLine(500, { error: 'goto failed' }),
    exitCode: 1,
    tasks: [{ ...neverCame[0]!, status: 'failed', calls: [] }],
  }),
  'a cancel that did not come, as the task was over before': createRun(buildPlainExchanges(), {
    job: { cancel_after_ms: 900 },
    exitCode: 1,
  }),
  'a cancel that did not come, as a poll was lost before': createRun(
    new ExchangeBuilder().create().addExchange(poll, null),
    {
      job: { cancel_after_ms: 900 },
      line: gaveUpLine('no answer'),
      exitCode: 1,
    },
  ),
  'cancels as told, and a DELETE that was limited goes out again': createRun(
    new ExchangeBuilder()
      .create()
      .poll(0)
      .wait(900)
      .addExchange(CANCEL, limited)
      .wait(1000)
      .addExchange(CANCEL, { body: { r: true } })
      .complete(0, { status: 'cancelled', output: null }),
    { job: { cancel_after_ms: 900 }, line: { ...done, status: 'cancelled', output: null }, exitCode: 1 },
  ),
  'an action with more in it than the job has': inSession(
    wholeSessionWith({ schema: {}, prompt: null, title: 'Prices' }),
    closed,
  ),
  'gave up the task at a reply that got no response': withTools(
    called().reply('c1', undefined, null).poll(at(5)),
    { ...ranOnce, ...gaveUpLine('no answer'), tool_runs: [WEATHER] },
    { exitCode: 1, tasks: waitsForReply },
  ),
  'gave up at a single 429 to a create': createRun(
    new ExchangeBuilder().addExchange({ method: 'POST', path: '/task', body: { task: 'Do it' } }, limited),
    { line: { error: 'limited' }, exitCode: 1 },
  ),
  'gave up at a single 429 to the first poll': createRun(
    new ExchangeBuilder().create().addExchange(poll, limited),
    {
      line: { error: 'limited' },
      exitCode: 1,
    },
  ),
  'gave up at a single 429 to an action': inSession(
    session().sendAction('a', GOTO, limited),
    { ...gaveUpLine('limited') },
    { exitCode: 1 },
  ),
  'an action that failed, sent again under another id': inSession(
    session()
      .sendAction('a', GOTO, { status: 503 })
      .sendAction('a2')
      .poll(0, { events: [resultOf('a2', 5)] })
      .sendAction('z', CLOSE, undefined, 'session_action')
      .poll(at(5), { events: [{ ...resultOf('z', 6, true), name: 'session_action' }] }),
    openedLine(),
    { job: oneGoto },
  ),
  'an action that failed, reported by its result': inSession(
    session()
      .sendAction('a', GOTO, { status: 503 })
      .sendAction('z', CLOSE, undefined, 'session_action')
      .complete(0),
    { ...done, results: [{ name: 'goto', code: 500, output: 'HTTP 503' }] },
    { job: oneGoto },
  ),
  'an action that failed, reported by the exit code': inSession(
    session()
      .sendAction('a', GOTO, { status: 503 })
      .sendAction('z', CLOSE, undefined, 'session_action')
      .complete(0),
    done,
    { job: oneGoto, exitCode: 1 },
  ),
  'a close that failed, and a DELETE in its place': inSession(
    opened()
      .sendAction('z', CLOSE, { status: 503 }, 'session_action')
      .addExchange({ method: 'DELETE', path: '/task/t1' }, { body: { r: true } }),
    openedLine(),
    { job: oneGoto },
  ),
  'a close that failed, and the end seen all the same': inSession(
    opened().sendAction('z', CLOSE, null, 'session_action').complete(at(5), { output: null }),
    { ...openedLine(), status: 'done' },
    { job: oneGoto },
  ),
  'gave up at a single 429 to a DELETE': createRun(
    session().addExchange({ method: 'DELETE', path: '/task/t1' }, limited),
    { job: { request: SESSION, close: 'delete' }, line: gaveUpLine('limited'), exitCode: 1 },
  ),
  'waited for as long as Retry-After says, which is too long': createRun(
    session()
      .sendAction('a', GOTO, { ...limited, headers: { 'retry-after': '3600' } })
      .poll(0)
      .poll(0),
    { job: oneGoto, line: gaveUpLine('no time left'), exitCode: 1, durationMs: 14_000 },
  ),
  'a session stopped by DELETE': stoppedByDelete(),
  'calls that came together, run in another order': withTools(
    new ExchangeBuilder()
      .create()
      .poll(0, { events: [weather('c1', 5, 'Lima'), weather('c2', 6, 'Quito')] })
      .reply('c2', { code: 200, output: 1 })
      .reply('c1', { code: 200, output: 2 })
      .complete(at(6)),
    { ...done, tool_runs: [inCity('Quito'), inCity('Lima')] },
    {
      job: {
        tools: {
          get_weather: [
            { code: 200, output: 1 },
            { code: 200, output: 2 },
          ],
        },
      },
    },
  ),
  'a plain task': createRun(buildPlainExchanges()),
  'gave up after an answer that was slow to come': createRun(
    new ExchangeBuilder()
      .create()
      .addExchange(
        { path: '/task/t1' },
        { status: 202, body: { r: { id: 't1', status: 'running' } } },
        11_000,
      ),
    {
      line: { ...done, status: 'running', output: null, error: 'too slow' },
      exitCode: 1,
      // Two things in one ms: the second one is a fraction of a ms later.
      trace: [0, 1].map((event) => ({
        what: 'response',
        name: 'poll#1',
        kind: 'poll',
        status: 202,
        events: [`e${event}`],
        seq: 2,
        at: at(11_005),
      })),
    },
  ),
  'a task that is over as soon as it is made': createRun(
    new ExchangeBuilder().addExchange(
      { method: 'POST', path: '/task', body: { task: 'Do it' } },
      { body: { r: { id: 't1', status: 'failed', output: 'No such page.' } } },
    ),
    { line: { status: 'failed', output: 'No such page.', results: [], tool_runs: [] } },
  ),
  'gave no number for a code that is none of the three': inSession(
    oddResult(),
    { ...closed, status: 'done', results: [{ name: 'goto', code: null, output: 'Error: teapot' }] },
    { exitCode: 1 },
  ),
  'gave 500 for a code that is none of the three': inSession(
    oddResult(),
    { ...closed, status: 'done', results: [{ name: 'goto', code: 500, output: 'a teapot' }] },
    { exitCode: 1 },
  ),
  'calls whose runs started in another order than they were listed in': withTools(
    new ExchangeBuilder()
      .create()
      .poll(0, { events: [weather('c1', 5, 'Lima')] })
      .poll(at(5), { events: [weather('c2', 6, 'Quito')] })
      .reply('c2', { code: 200, output: 21 })
      .reply('c1', { code: 500, output: 'no' })
      .complete(at(6), { events: [weather('c3', 7, 'Cusco')] }),
    { ...done, tool_runs: [inCity('Quito'), inCity('Lima')] },
  ),
  'a tool': withTools(replied(), ranOnce),
  'a tool that fails as told': withTools(
    called()
      .reply('c1')
      .poll(at(5), { events: [createToolCall('c2', 9)] })
      .reply('c2', { code: 500, output: 'no' })
      .complete(at(9)),
    { ...done, tool_runs: [WEATHER, WEATHER] },
  ),
  'calls that come together, run the other way round': withTools(
    new ExchangeBuilder()
      .create()
      .poll(0, { events: [createToolCall('c1', 5), createToolCall('c2', 6)] })
      .reply('c2')
      .reply('c1', { code: 500, output: 'no' })
      .complete(at(6)),
    { ...done, tool_runs: [WEATHER, WEATHER] },
  ),
  'a tool that nobody has': createRun(
    called().reply('c1', { code: 400, output: 'none here' }).complete(at(5)),
  ),
  'a call that came with the end, unanswered': withTools(
    new ExchangeBuilder().create().complete(0, { events: [createToolCall('c1', 5)] }),
    done,
  ),
  'the same, run all the same': withTools(
    new ExchangeBuilder().create().complete(0, { events: [createToolCall('c1', 5)] }),
    ranOnce,
  ),
  'a call after its own cancel': withTools(
    new ExchangeBuilder()
      .create()
      .addExchange({ method: 'DELETE', path: '/task/t1' }, {})
      .complete(0, { status: 'cancelled', output: null, events: [createToolCall('c1', 5)] }),
    { ...done, status: 'cancelled', output: null },
    { exitCode: 1, job: { cancel_after_ms: 0 } },
  ),
  'a session, stopped at the result of the close': inSession(wholeSession(), closed),
  'the same with the close in its results': inSession(wholeSession(), {
    ...closed,
    results: [...told, { name: 'close', code: 200, output: true }],
  }),
  'the same, polled on to the end, results without figures': inSession(
    wholeSession().complete(at(7), { output: null }),
    {
      ...closed,
      status: 'done',
      results: [told[0], { ...told[1], output: 'x' }],
    },
  ),
  'a session that is closed with DELETE': createRun(
    session()
      .addExchange({ method: 'DELETE', path: '/task/t1' }, {})
      .complete(0, { status: 'cancelled', output: null }),
    { job: { request: SESSION, close: 'delete' }, line: { ...done, status: 'cancelled', output: null } },
  ),
  'an action sent again with its id': inSession(
    session()
      .sendAction('a', GOTO, null)
      .sendAction('a')
      .poll(0, { events: [resultOf('a', 5, null, 500)] })
      .sendAction('z', CLOSE, undefined, 'session_action')
      .complete(at(5), { output: null }),
    { ...done, output: null, results: [{ name: 'goto', code: 500, output: null }] },
    { exitCode: 1 },
  ),
  'an action under another id after a 429': inSession(
    session()
      .sendAction('a', GOTO, { status: 429 })
      .wait(1000)
      .sendAction('a2')
      .poll(0, { events: [resultOf('a2', 6, null, 500)] })
      .complete(at(6), { output: null }),
    { ...done, output: null, results: [{ ...told[0], code: 500 }] },
    { exitCode: 1 },
  ),
  'an action under another id after a lost response': performedTwice(session().sendAction('a', GOTO, null)),
  'polls a missing task 11 times, then says so': createRun(pollsMissing(), {
    line: { error: 'HTTP 404' },
    exitCode: 1,
  }),
  'gave up after a lost answer': createRun(
    new ExchangeBuilder().addExchange({ method: 'POST', path: '/task', body: { task: 'Do it' } }, null),
    {
      line: { error: 'no answer' },
      exitCode: 1,
    },
  ),
  'a function that threw after a 503': createRun(
    new ExchangeBuilder().create().addExchange(poll, { status: 503 }),
    {
      kind: 'function',
      line: undefined,
      error: 'HTTP 503',
      exitCode: 1,
    },
  ),
  'gave up at a 401 that came after a 503': createRun(
    byNetwork(
      new ExchangeBuilder()
        .create()
        .addExchange(poll, { status: 503 })
        .wait(1000)
        .addExchange(poll, { status: 401 }),
    ),
    { line: gaveUpLine('met a 401'), exitCode: 1 },
  ),
  'gave up after a 503 that it had mended': createRun(
    new ExchangeBuilder().create().addExchange(poll, { status: 503 }).wait(1000).poll(0),
    { line: gaveUpLine('no more'), exitCode: 1 },
  ),
  'gave up at an action whose answer was lost, though its result came': inSession(
    session()
      .sendAction('a', GOTO, null)
      .poll(0, { events: [resultOf('a', 5)] }),
    { status: 'running', output: null, results: [], tool_runs: [], error: 'no answer' },
    { exitCode: 1 },
  ),
  'gave up at the third 429': createRun(
    new ExchangeBuilder()
      .create()
      .addExchange(poll, limited)
      .wait(1000)
      .addExchange(poll, limited)
      .wait(1000)
      .addExchange(poll, limited),
    { line: { status: 'running', error: 'limited' }, exitCode: 1 },
  ),
  'a failed task, told as an error': createRun(
    new ExchangeBuilder().create().complete(undefined, { status: 'failed', output: 'no' }),
    {
      line: { ...done, status: 'failed', output: 'no', error: 'the task failed' },
      exitCode: 1,
    },
  ),
  'a call of a tool that the client does not have, which no run is listed for': createRun(
    called().reply('c1', { code: 500, output: 'no such tool' }).complete(at(5)),
    { line: done },
  ),
  'a failed task, told without its output': createRun(
    new ExchangeBuilder().create().complete(undefined, { status: 'failed', output: 'no' }),
    { line: { ...done, status: 'failed', output: null } },
  ),
  'a failed task without an output': createRun(
    new ExchangeBuilder().create().complete(undefined, { status: 'failed', output: null }),
    { line: { ...done, status: 'failed', output: null } },
  ),
  'a failed task, told as it is': createRun(
    new ExchangeBuilder().create().complete(undefined, { status: 'failed', output: 'no' }),
    {
      line: { ...done, status: 'failed', output: 'no' },
    },
  ),
  'an event lost by the service': withTools(called().reply('c1').poll(at(5)), undefined, {
    end: 'stalled',
    rules: [sameInstant],
    tasks: neverCame,
    trace: madeThenPolled,
  }),
  'a run that somebody stopped': createRun(new ExchangeBuilder(), { end: 'aborted', line: undefined }),
};

const bad: Record<string, { run: ClientRun; finds: string[]; says: RegExp }> = {
  'no request': { run: createRun(new ExchangeBuilder()), finds: ['run/requests'], says: /made no request/ },
  'requests to somewhere else': {
    run: createRun(new ExchangeBuilder().addExchange({ path: '/tasks' }, { status: 404 })),
    finds: ['run/requests'],
    says: /GET \/tasks \(exchange 1\)/,
  },
  'no request and no line': {
    run: createRun(new ExchangeBuilder(), { line: undefined, lineProblem: 'stdout is empty', exitCode: 1 }),
    finds: ['run/requests', 'line/missing'],
    says: /made no request/,
  },
  'cannot be started': {
    run: createRun(new ExchangeBuilder(), {
      end: 'not-started',
      error: 'no such command',
      line: undefined,
      exitCode: null,
    }),
    finds: ['run/started'],
    says: /no such command/,
  },
  'floods its output': {
    run: createRun(buildPlainExchanges(), { end: 'output-flood', line: undefined, exitCode: null }),
    finds: ['run/flooded'],
    says: /more to its output/,
  },
  hangs: {
    run: createRun(new ExchangeBuilder().create().poll(0).addExchange(poll, limited), {
      end: 'stalled',
      line: undefined,
      exitCode: null,
      tasks: stillRunning,
    }),
    finds: ['run/ended'],
    says: /waiting for what the next poll would bring: GET .* got status 429, and was not sent again\.$/,
  },
  'hangs because the result was delivered with the end': {
    run: inSession(
      session()
        .sendAction('a')
        .complete(0, { events: [resultOf('a', 5)] }),
      undefined,
      { end: 'idle', exitCode: null },
    ),
    finds: ['run/ended'],
    says: /brought the result of goto together with the status "done"/,
  },
  'is killed': {
    run: createRun(buildPlainExchanges(), { signal: 'SIGSEGV', exitCode: null }),
    finds: ['run/signal'],
    says: /SIGSEGV/,
  },
  'leaves processes behind': {
    run: createRun(buildPlainExchanges(), { leftBehind: 2 }),
    finds: ['run/left-behind'],
    says: /2 processes/,
  },
  'sends a request after it has returned': {
    run: createRun(buildPlainExchanges(), { kind: 'function', late: [2] }),
    finds: ['run/late-request'],
    says: /had returned, and sent GET/,
  },
  'an unhandled rejection': {
    run: createRun(buildPlainExchanges(), { kind: 'function', error: 'TypeError: x' }),
    finds: ['run/unhandled'],
    says: /TypeError: x/,
  },
  'no line': {
    run: createRun(buildPlainExchanges(), {
      line: undefined,
      lineProblem: 'stdout is empty',
      exitCode: 1,
      stderr: 'a\nTypeError: y\n',
    }),
    finds: ['line/missing'],
    says: /stdout is empty.*exited with 1.*TypeError: y/,
  },
  'a line of another form': {
    run: withTools(replied(), { state: 'done' }),
    finds: ['line/shape', 'line/output'],
    says: /"status" is nothing.*"tool_runs" is missing/,
  },
  'creates a second task while the first create is in flight': {
    run: createRun(
      new ExchangeBuilder()
        .create()
        .addExchange(
          { method: 'POST', path: '/task', body: { task: 'Do it' } },
          { body: { r: { id: 't2', status: 'running' } } },
        )
        .poll(0)
        .complete(0),
    ),
    finds: ['create/once'],
    says: /created 2 although no request failed/,
  },
  'mixes up calls that were delivered together': {
    run: withTools(
      new ExchangeBuilder()
        .create()
        .poll(0, { events: [weather('c1', 5, 'Lima'), weather('c2', 6, 'Quito')] })
        .reply('c2', { code: 200, output: 1 })
        .reply('c1', { code: 200, output: 2 })
        .complete(at(6)),
      { ...done, tool_runs: [inCity('Lima'), inCity('Quito')] },
      {
        job: {
          tools: {
            get_weather: [
              { code: 200, output: 1 },
              { code: 200, output: 2 },
            ],
          },
        },
      },
    ),
    finds: ['replies/outcome'],
    says: /Run 1 of the tool "get_weather" with the input \{"city":"Lima"\} ended with code 200 and 1,/,
  },
  'does not wait for a result': {
    run: inSession(
      session()
        .sendAction('a')
        .sendAction('b', EXTRACT)
        .poll(0, {
          events: [resultOf('a', 5), resultOf('b', 6, { output: 'x', credits_used: 1, duration: 2 })],
        })
        .sendAction('z', CLOSE, undefined, 'session_action')
        .poll(at(6), { events: [{ ...resultOf('z', 7, true), name: 'session_action' }] }),
      closed,
    ),
    finds: ['actions/in-turn'],
    says: /extract was sent by POST .* before the result of goto was delivered by exchange 4/,
  },
  'gives up for nothing and leaves a call alone': {
    run: withTools(
      called(),
      { ...ranOnce, status: 'running', output: null, tool_runs: [], error: 'no time' },
      { exitCode: 1 },
    ),
    finds: ['line/error', 'replies/each-call'],
    says: /although no request failed/,
  },
  'ends in the middle of an await': {
    run: createRun(new ExchangeBuilder().create().poll(0), {
      line: undefined,
      exitCode: 13,
      tasks: stillRunning,
    }),
    finds: ['run/ended', 'line/missing'],
    says: /did not end: it stopped in the middle of an await.*waiting for the end of its task/,
  },
  'stops too early': {
    run: createRun(new ExchangeBuilder().create().poll(0), {
      line: { ...done, status: 'running', output: null },
    }),
    finds: ['line/status'],
    says: /stopped while the task was "running"/,
  },
  'invents the end': {
    run: createRun(new ExchangeBuilder().create().poll(0), { line: { ...done, output: null } }),
    finds: ['line/status'],
    says: /no response to the client had it/,
  },
  'another status': {
    run: createRun(buildPlainExchanges(), { line: { ...done, status: 'running' } }),
    finds: ['line/status'],
    says: /never changes:/,
  },
  'another output': {
    run: createRun(buildPlainExchanges(), { line: { ...done, output: 'It was done.' } }),
    finds: ['line/output'],
    says: /"It was done\."/,
  },
  'a result that was delivered with the end is missing': {
    run: inSession(
      session()
        .sendAction('a')
        .complete(0, { output: null, events: [resultOf('a', 5)] }),
      { ...done, output: null, error: 'no result' },
      { exitCode: 1 },
    ),
    finds: ['line/results'],
    says: /goto was delivered in exchange 3.*in the same response as the end/,
  },
  'a result is missing': {
    run: inSession(wholeSession(), { ...closed, results: told.slice(0, 1) }),
    finds: ['line/results'],
    says: /result of extract was delivered in exchange 5/,
  },
  'a result twice': {
    run: inSession(wholeSession(), { ...closed, results: [told[0], ...told] }),
    finds: ['line/results'],
    says: /more often than it was delivered/,
  },
  'results in another order than the actions': {
    run: inSession(wholeSession(), { ...closed, results: told.toReversed() }),
    finds: ['line/results'],
    says: /the result of goto with the output null stands behind the result of a later action/,
  },
  'results under the wrong names': {
    run: inSession(wholeSession(), {
      ...closed,
      results: [
        { ...told[1], name: 'goto' },
        { ...told[0], name: 'extract' },
      ],
    }),
    finds: ['line/results', 'line/results'],
    says: /is the result of extract.*by their id/,
  },
  'an action left out': {
    run: inSession(
      session()
        .sendAction('z', CLOSE, undefined, 'session_action')
        .poll(0, { events: [{ ...resultOf('z', 7, true), name: 'session_action' }] }),
      { ...closed, results: [] },
    ),
    finds: ['actions/match-job'],
    says: /"goto", and the client never sent it/,
  },
  'an action under another id although the first was confirmed': {
    run: performedTwice(
      session()
        .sendAction('a')
        .poll(0, { events: [resultOf('a', 5)] }),
    ),
    finds: ['actions/once'],
    says: /was confirmed, and again in exchange 4 under another id: it is performed twice/,
  },
  'an action under another id after a lost response, and the result of one of them': {
    run: inSession(
      session()
        .sendAction('a', GOTO, null)
        .sendAction('a2')
        .poll(0, { events: [resultOf('a', 5), resultOf('a2', 6, null, 500)] })
        .complete(at(6), { output: null }),
      { ...done, output: null, results: [{ ...told[0], code: 500 }] },
      { exitCode: 1 },
    ),
    finds: ['actions/once'],
    says: /does not have it: the action was sent again under another id, and was performed twice/,
  },
  'two tasks': {
    run: createRun(new ExchangeBuilder().create().create().poll(0).complete(0)),
    finds: ['create/once'],
    says: /created 2/,
  },
  'a tool runs twice': {
    run: withTools(
      called()
        .reply('c1')
        .poll(at(5), { events: [createToolCall('c1', 5)] })
        .complete(at(5)),
      { ...done, tool_runs: [WEATHER, WEATHER] },
    ),
    finds: ['line/tool-runs'],
    says: /ran 2 times for 1 call.*listed in exchanges 2, 4/,
  },
  'a tool runs twice, and its call was listed once': {
    run: withTools(
      new ExchangeBuilder()
        .create()
        .poll(0, { events: [weather('c1', 5, 'Lima')] })
        .reply('c1', { code: 200, output: 21 })
        .poll(at(5), { events: [weather('c2', 6, 'Quito')] })
        .reply('c2', { code: 500, output: 'no' })
        .poll(at(5), { events: [weather('c2', 6, 'Quito')] })
        .complete(at(6)),
      { ...done, tool_runs: [inCity('Lima'), inCity('Lima'), inCity('Quito')] },
    ),
    finds: ['line/tool-runs'],
    says: /with the input \{"city":"Lima"\} ran 2 times for 1 call.*Call "c1" was listed in exchange 2/,
  },
  'a tool runs twice, and another call is never run': {
    run: withTools(
      listedAgain().complete(at(6)),
      { ...done, tool_runs: [inCity('Quito'), inCity('Quito')] },
      {
        job: { tools: { get_weather: [{ code: 500, output: 'no' }] } },
      },
    ),
    finds: ['line/tool-runs', 'replies/outcome'],
    says: /with the input \{"city":"Quito"\} ran 2 times for 1 call.*Call "c2" was listed in exchanges 4, 6/,
  },
  'a tool runs once more with an input that no call has': {
    run: withTools(called().reply('c1').complete(at(5)), { ...done, tool_runs: [WEATHER, inCity('Lima')] }),
    finds: ['line/tool-runs'],
    says: /ran with the input \{"city":"Lima"\}, and it was called with \{\}/,
  },
  'the second run of a call takes the outcome of the next one': {
    run: withTools(
      listedAgain()
        .poll(at(6), { events: [weather('c3', 7, 'Cusco')] })
        .reply('c3', { code: 200, output: 3 })
        .complete(at(7)),
      { ...done, tool_runs: [inCity('Lima'), inCity('Quito'), inCity('Quito'), inCity('Cusco')] },
      {
        job: {
          tools: {
            get_weather: [
              { code: 200, output: 21 },
              { code: 500, output: 'no' },
              { code: 200, output: 4 },
              { code: 200, output: 3 },
            ],
          },
        },
      },
    ),
    finds: ['line/tool-runs'],
    says: /Call "c2" was listed in exchanges 4, 6/,
  },
  'a reply has the outcome of a run with another input': {
    run: withTools(
      new ExchangeBuilder()
        .create()
        .poll(0, { events: [weather('c1', 5, 'Lima')] })
        .reply('c1', { code: 500, output: 'no' })
        .poll(at(5), { events: [weather('c2', 6, 'Quito')] })
        .reply('c2', { code: 500, output: 'no' })
        .complete(at(6)),
      { ...done, tool_runs: [inCity('Lima'), inCity('Quito')] },
    ),
    finds: ['replies/outcome'],
    says: /Run 1 of the tool "get_weather" with the input \{"city":"Lima"\} ended with code 200 and 21, and the reply to call "c1"/,
  },
  'a success reported for a result with an unknown code': {
    run: inSession(oddResult(), {
      ...closed,
      status: 'done',
      results: [{ name: 'goto', code: 200, output: 'a teapot' }],
    }),
    finds: ['line/results'],
    says: /exchange 3 brought the code 418/,
  },
  'gives up after a response that was slow only because of the service': {
    run: inSession(slow(), gaveUpAtResult, { exitCode: 1, wall: wallTimes(slow(), 20) }),
    finds: ['line/error', 'sessions/closed'],
    says: /although no request failed/,
  },
  'does not wait for a result while the service jumps': {
    run: inSession(
      session()
        .sendAction('a')
        .wait(9000)
        .sendAction('b', EXTRACT)
        .poll(0, {
          events: [resultOf('a', 5), resultOf('b', 6, { output: 'x', credits_used: 1, duration: 2 })],
        })
        .sendAction('z', CLOSE, undefined, 'session_action')
        .poll(at(6), { events: [{ ...resultOf('z', 7, true), name: 'session_action' }] }),
      closed,
      { wall: wallTimes(wholeSession(), 20) },
    ),
    finds: ['actions/in-turn'],
    says: /extract was sent by POST/,
  },
  'a tool gets another input': {
    run: withTools(replied(), { ...done, tool_runs: [{ ...WEATHER, input: { city: 'x' } }] }),
    finds: ['line/tool-runs'],
    says: /with the input \{"city":"x"\}/,
  },
  'a reply without a run': {
    run: withTools(replied(), done),
    finds: ['line/tool-runs'],
    says: /no run for it/,
  },
  'a run without a call': {
    run: withTools(buildPlainExchanges(), ranOnce),
    finds: ['line/tool-runs'],
    says: /never called/,
  },
  'a success reported as a failure': {
    run: withTools(called().reply('c1', { code: 500, output: 'HTTP 429' }).complete(at(5)), ranOnce),
    finds: ['replies/outcome'],
    says: /ended with code 200 and 21.*exchange 3\) has code 500 and "HTTP 429".*never reported as failed/,
  },
  'the message of a failed tool becomes another': {
    run: withTools(called().reply('c1', { code: 500, output: '[object Object]' }).complete(at(5)), ranOnce, {
      job: { tools: { get_weather: [{ code: 500, output: 'no' }] } },
    }),
    finds: ['replies/outcome'],
    says: /ended with code 500 and "no".*has code 500 and "\[object Object\]"/,
  },
  'an unknown tool succeeds': {
    run: createRun(called().reply('c1').complete(at(5)), { line: ranOnce }),
    finds: ['replies/outcome'],
    says: /does not have/,
  },
  'a run of a tool that the client does not have': {
    run: createRun(called().reply('c1', { code: 500, output: 'no outcome' }).complete(at(5)), {
      line: ranOnce,
    }),
    finds: ['line/tool-runs'],
    says: /"get_weather", which the client does not have/,
  },
  silence: {
    run: withTools(called().poll(at(5)), undefined, { end: 'stalled', exitCode: null }),
    finds: ['run/ended', 'replies/each-call'],
    says: /./,
  },
  'no reply for an unknown tool': {
    run: createRun(called().poll(at(5)), { line: undefined, end: 'deadline', exitCode: null }),
    finds: ['run/ended', 'replies/each-call'],
    says: /./,
  },
  'gives up without a reason': {
    run: createRun(new ExchangeBuilder().create().poll(0, { status: 'waiting' }), {
      line: { error: 'odd' },
      exitCode: 1,
    }),
    finds: ['line/error'],
    says: /"waiting" for a while/,
  },
  'closes a session after the first of two actions, and reports the other as missing': {
    run: inSession(
      opened()
        .sendAction('z', CLOSE, undefined, 'session_action')
        .poll(at(5), { events: [resultOf('z', 6, true)] })
        .complete(at(6), { output: null }),
      { ...done, output: null, results: openedLine().results, error: 'extract has no result' },
      { exitCode: 1 },
    ),
    finds: ['line/error'],
    says: /although no request failed/,
  },
  'waits until its deadline after a create with 429': {
    run: createRun(
      new ExchangeBuilder().addExchange({ method: 'POST', path: '/task', body: { task: 'Do it' } }, limited),
      {
        line: { error: 'no time left' },
        exitCode: 1,
        durationMs: 14_000,
      },
    ),
    finds: ['requests/dropped'],
    says: /The client waited 14 s more, until its time was over, for a task\./,
  },
  'waits until its deadline after a failed poll': {
    run: createRun(new ExchangeBuilder().create().poll(0).addExchange(poll, { status: 503 }), {
      line: { ...done, status: 'running', error: 'no time left' },
      exitCode: 1,
      durationMs: 14_000,
    }),
    finds: ['requests/dropped', 'line/output'],
    says: /503, and was not sent again.*for what the next poll would bring\./,
  },
  'stops at a failed reply without an error': {
    run: withTools(
      called().reply('c1', undefined, { status: 503 }),
      { ...ranOnce, status: 'running', output: null },
      { exitCode: 0, tasks: waitsForReply },
    ),
    finds: ['requests/dropped'],
    says: /which sent the reply to call "c1", got status 503/,
  },
  'sends the first of two equal actions once, which fails, without an error': {
    run: inSession(
      session()
        .sendAction('a', GOTO, { status: 503 })
        .sendAction('b')
        .poll(0, { events: [resultOf('b', 5)] })
        .sendAction('z', CLOSE, undefined, 'session_action')
        .poll(at(5), { events: [{ ...resultOf('z', 6, true), name: 'session_action' }] }),
      openedLine(),
      { job: { ...oneGoto, actions: [two.actions![0]!, two.actions![0]!] } },
    ),
    finds: ['requests/dropped'],
    says: /\(exchange 2\), which sent goto, got status 503/,
  },
  'gives up without a reason after a 429 that had passed': {
    run: createRun(new ExchangeBuilder().create().addExchange(poll, limited).poll(0).poll(0), {
      line: { error: 'odd' },
      exitCode: 1,
    }),
    finds: ['line/error'],
    says: /the 429 to GET .* is temporary/,
  },
  'leaves the tools out': {
    run: created(WHOLE, { ...WHOLE, custom_tools: undefined }),
    finds: ['create/matches-job'],
    says: /leaves out "custom_tools".*Send every field/,
  },
  'leaves a part of a tool out': {
    run: created(WHOLE, {
      ...WHOLE,
      custom_tools: [{ ...WHOLE.custom_tools[0], inputs: { type: 'object', required: ['a'] } }],
    }),
    finds: ['create/matches-job'],
    says: /for "custom_tools"/,
  },
  'sends another value for a field that is optional': {
    run: created({ ...WHOLE, max_steps: 2 }, { ...WHOLE, max_steps: 32 }, { optional_fields: ['max_steps'] }),
    finds: ['create/matches-job'],
    says: /has 32 for "max_steps"/,
  },
  'leaves out another field than those that are optional': {
    run: created({ ...WHOLE, max_steps: 2 }, WHOLE, { optional_fields: ['session_id'] }),
    finds: ['create/matches-job'],
    says: /leaves out "max_steps"/,
  },
  'leaves the schema out': {
    run: created(WHOLE, { ...WHOLE, response_model: null }),
    finds: ['create/matches-job'],
    says: /leaves out "response_model"/,
  },
  'sends another device': {
    run: created(WHOLE, { ...WHOLE, device: 'desktop' }),
    finds: ['create/matches-job'],
    says: /"desktop" for "device".*"mobile"/,
  },
  'leaves out a device that is not the default': {
    run: created(WHOLE, { ...WHOLE, device: undefined }),
    finds: ['create/matches-job'],
    says: /leaves out "device"/,
  },
  'sends a task if a session is requested': {
    run: created({ task: null }, { task: 'Do it' }),
    finds: ['create/matches-job'],
    says: /"Do it" for "task"/,
  },
  'never cancels': {
    run: createRun(new ExchangeBuilder().create().poll(0), {
      job: { cancel_after_ms: 900 },
      line: gaveUpLine('the time is over'),
      exitCode: 1,
    }),
    finds: ['cancel/matches-job'],
    says: /"cancel_after_ms": 900, and the client never stopped the task/,
  },
  'cancels too early': {
    run: createRun(
      new ExchangeBuilder()
        .create()
        .addExchange(CANCEL, {})
        .complete(0, { status: 'cancelled', output: null }),
      {
        job: { cancel_after_ms: 900 },
        line: { ...done, status: 'cancelled', output: null },
        exitCode: 1,
      },
    ),
    finds: ['cancel/matches-job'],
    says: /DELETE .* stopped the task \d ms after it was made/,
  },
  'continues to poll instead of canceling, until the end': {
    run: createRun(inVain(new ExchangeBuilder().create().wait(900), 0, 3).complete(0), {
      job: { cancel_after_ms: 900 },
    }),
    finds: ['cancel/matches-job'],
    says: /polled 3 more times after that, and never sent DELETE/,
  },
  'does not repeat a failed DELETE': {
    run: createRun(
      inVain(new ExchangeBuilder().create().wait(900).addExchange(CANCEL, { status: 503 }), 0, 3).complete(0),
      {
        job: { cancel_after_ms: 900 },
      },
    ),
    finds: ['cancel/matches-job'],
    says: /DELETE .* got status 503, was not sent again/,
  },
  'closes a task that is not a session': {
    run: createRun(
      new ExchangeBuilder()
        .create()
        .wait(900)
        .sendAction('z', CLOSE, { status: 409 }, 'session_action')
        .complete(0),
      {
        job: { cancel_after_ms: 900 },
      },
    ),
    finds: ['cancel/matches-job'],
    says: /closed a session, but the task is not a session/,
  },
  'sends an action without all of its input': {
    run: inSession(wholeSessionWith({ prompt: 'Prices' }), closed, {
      job: {
        ...two,
        actions: [
          two.actions![0]!,
          { name: 'browser_action', payload: { name: 'extract', input: { schema: { type: 'array' } } } },
        ],
      },
    }),
    finds: ['actions/match-job', 'actions/input'],
    says: /extract was sent by POST .* with the input \{"prompt":"Prices"\}, and the job has/,
  },
  'waits for the result of an action that was refused': {
    run: createRun(inVain(session().sendAction('a', GOTO, { status: 422 }), 0, 25), {
      job: oneGoto,
      line: gaveUpLine('the time is over'),
      exitCode: 1,
    }),
    finds: ['actions/refused', 'line/error', 'sessions/closed'],
    says: /goto was refused: POST .* got status 422\. The client continued to poll for/,
  },
  'waits for the end of the session after its last action was refused': {
    run: createRun(inVain(session().sendAction('a', GOTO, { status: 422 }), 0, 25), {
      job: { ...oneGoto, close: null },
      line: gaveUpLine('the time is over'),
      exitCode: 1,
    }),
    finds: ['line/error'],
    says: /the time is over/,
  },
  'waits for the result of a close that was refused': {
    run: createRun(inVain(closing({ status: 400 }), 0, 25), {
      job: { request: SESSION, close: 'event' },
      line: gaveUpLine('the time is over'),
      exitCode: 1,
    }),
    finds: ['actions/refused', 'line/error'],
    says: /close was refused: POST .* got status 400\. The client continued to poll for .* for the end of the session/,
  },
  'waits for the effect of a DELETE that was refused': {
    run: createRun(inVain(session().addExchange(CANCEL, { status: 404 }), 0, 25), {
      job: { request: SESSION, close: 'delete' },
      line: gaveUpLine('the time is over'),
      exitCode: 1,
    }),
    finds: ['actions/refused'],
    says: /The DELETE of the session was refused: DELETE .* for the end of the session/,
  },
  'leaves a session open': {
    run: createRun(opened(), { job: oneGoto, line: gaveUpLine('odd'), exitCode: 1 }),
    finds: ['line/error', 'sessions/closed'],
    says: /./,
  },
  'leaves a session open when an action failed': {
    run: createRun(opened(500), {
      job: oneGoto,
      line: openedLine(500, { error: 'goto failed' }),
      exitCode: 1,
    }),
    finds: ['sessions/closed'],
    says: /ended without a close after goto failed in exchange 3/,
  },
  'closes before the last result': {
    run: createRun(
      session()
        .sendAction('a')
        .sendAction('z', CLOSE, undefined, 'session_action')
        .poll(0, { events: [resultOf('a', 5)] }),
      { job: oneGoto, line: openedLine() },
    ),
    finds: ['sessions/closed-early'],
    says: /event \(exchange 3\) ends the session before the result of goto was delivered by exchange 4/,
  },
  'stops waiting for the last result, reports it and closes': {
    run: createRun(inVain(session().sendAction('a'), 0, 4).addExchange(CANCEL, {}), {
      job: oneGoto,
      line: gaveUpLine('no result after 2 s'),
      exitCode: 1,
    }),
    finds: ['line/error'],
    says: /although no request failed/,
  },
  'stops waiting for the last result although only the service clock advanced': {
    run: createRun(inVain(session().sendAction('a'), 0, 4).addExchange(CANCEL, {}), {
      job: oneGoto,
      line: gaveUpLine('no result after 2 s'),
      exitCode: 1,
      wall: new Map([1, 2, 3, 4, 5, 6, 7].map((seq) => [seq, { arrived: seq * 100, left: seq * 100 + 9 }])),
    }),
    finds: ['line/error', 'sessions/closed-early'],
    says: /although no request failed/,
  },
  'closes with DELETE before the last result has come, and does not report it as missing': {
    run: createRun(inVain(session().sendAction('a'), 0, 6).addExchange(CANCEL, {}), {
      job: { ...oneGoto, close: 'delete' },
      line: { ...done, status: 'running', output: null },
    }),
    finds: ['sessions/closed-early'],
    says: /DELETE .* before the result of goto was delivered\. /,
  },
  'gives up a reply and continues to wait': {
    run: withTools(
      inVain(called().reply('c1', undefined, null), at(5), 3),
      { ...gaveUpLine('the time is over'), tool_runs: [WEATHER] },
      { exitCode: 1, tasks: waitsForReply },
    ),
    finds: ['replies/given-up'],
    says: /its last try, exchange 3, got no response\. The client polled 3 more times for a task that waits/,
  },
  'gives up after its own invalid request': {
    run: createRun(
      new ExchangeBuilder()
        .create()
        .addExchange({ path: '/task/t1?event_t=x' }, { status: 422, body: { detail: 'event_t' } }),
      {
        line: { error: 'HTTP 422' },
        exitCode: 1,
      },
    ),
    finds: ['polling/event-t', 'line/error'],
    says: /./,
  },
  'gives up and reports done': {
    run: createRun(new ExchangeBuilder().create().addExchange(poll, null), {
      line: { ...done, error: 'no answer' },
      exitCode: 1,
    }),
    finds: ['line/status', 'line/output'],
    says: /no response to the client/,
  },
  'gives up and exits with 0': {
    run: createRun(new ExchangeBuilder().create().addExchange(poll, null), { line: { error: 'no answer' } }),
    finds: ['exit/code'],
    says: /exited with 0/,
  },
  'exits with 1 without an error': {
    run: createRun(buildPlainExchanges(), { exitCode: 1 }),
    finds: ['exit/code'],
    says: /exited with 1\. Exit with 0/,
  },
};

const failures = (run: ClientRun) => judgeRun(run).filter(({ level }) => level === 'must');

describe('judgeRun', () => {
  it.each(Object.entries(good))('accepts: %s', (_, run) => {
    expect(failures(run)).toEqual([]);
  });

  it.each(Object.entries(bad))('finds: %s', (_, { run, finds, says }) => {
    const found = failures(run);
    expect(found.map(({ rule }) => rule).sort()).toEqual([...finds].sort());
    for (const { side, evidence, requirement } of found) {
      expect(side).toBe('client');
      expect(requirements.find(({ id }) => id === requirement)?.level, requirement).toBe('must');
      expect(run.exchanges.map(({ seq }) => seq)).toEqual(expect.arrayContaining(evidence));
    }
    expect(found.find(({ rule }) => rule === finds[0])?.message).toMatch(says);
  });

  it('names the step that a finding is about', () => {
    const { run } = bad['a success reported as a failure']!;
    const calls = [{ id: 'c1', step: 'first', tool: 'get_weather', reply: undefined }];
    const tasks: ServiceTask[] = [{ ...neverCame[0]!, calls }];
    expect(failures({ ...run, tasks })).toMatchObject([{ rule: 'replies/outcome', about: 'first' }]);
  });

  it('says of a failed tool whose message became another that the message is wrong', () => {
    const [found] = failures(bad['the message of a failed tool becomes another']!.run);
    expect(describeDefect(found!.rule, found!.requirement)).toMatch(/ and its message$/);
  });

  it('gives advice', () => {
    const advised = (name: string) =>
      judgeRun(good[name]!)
        .filter(({ level }) => level === 'advice')
        .map(({ rule }) => rule);
    expect(advised('a function that threw after a 503')).toEqual(['line/gave-up']);
    expect(advised('gave up after a lost answer')).toEqual([]);
    expect(advised('gave up at a 401 that came after a 503')).toEqual([]);
    expect(advised('gave up after a 503 that it had mended')).toEqual([]);
    const [gaveUp] = judgeRun(good['gave up after an answer that was slow to come']!);
    expect(gaveUp).toMatchObject({ rule: 'line/gave-up', message: expect.stringContaining('took 11000 ms') });
    expect(advised('an action under another id after a lost response')).toEqual(['actions/once']);
    expect(advised('polls a missing task 11 times, then says so')).toEqual(['requests/bounded']);
    expect(advised('an event lost by the service')).toContain('cursor/same-instant');
    expect(advised('a failed task, told as an error')).toEqual([]);
    expect(advised('a failed task, told without its output')).toEqual(['line/output']);
    expect(advised('a failed task without an output')).toEqual([]);
    expect(advised('a session stopped by DELETE')).toContain('sessions/close-matches-job');
    expect(advised('a plain task')).toEqual([]);
    for (const request of ['a create', 'the first poll', 'an action'])
      expect(advised(`gave up at a single 429 to ${request}`)).toEqual(['line/gave-up']);
  });

  it('gives no advice about giving up to a client that gave up a reply and continued to wait', () => {
    const { run } = bad['gives up a reply and continues to wait']!;
    expect(judgeRun(run).map(({ rule }) => rule)).toEqual(['replies/given-up']);
  });

  it('gives advice where the poll after a 429 may be that of the other wait', () => {
    const limited = { status: 429, headers: { 'retry-after': '1' }, body: { detail: 'Slow down.' } };
    const running = { status: 202, body: { r: { id: 't1', status: 'running' } } };
    const talk = () =>
      new ExchangeBuilder().create().addExchange(poll, limited).addExchange(poll, running).complete(0);
    const judge = (asks: Job['asks']) =>
      judgeRun(
        createRun(talk(), {
          job: { asks },
          line: { ...done, asked: { second_wait: { status: 'done', output: done.output } } },
        }),
      )
        .filter(({ rule }) => rule === 'limits/immediate-retry')
        .map(({ level }) => level);
    expect([judge([]), judge(['second_wait'])]).toEqual([['must'], ['advice']]);
  });

  it('names the cursor as the cause only if events were handled twice', () => {
    const back = () =>
      called()
        .reply('c1')
        .poll(at(5), { events: [createToolCall('c2', 9)] })
        .reply('c2', { code: 500, output: 'no' })
        .poll(at(9))
        .poll(at(5), { events: [createToolCall('c2', 9)] })
        .complete(at(9));
    const ran = (times: number) => ({ ...done, tool_runs: Array.from({ length: times }, () => WEATHER) });
    const levels = (times: number) =>
      judgeRun(withTools(back(), ran(times))).map(({ rule, level }) => `${level} ${rule}`);
    expect(levels(2)).toEqual(['advice polling/event-t-back']);
    expect(levels(3)).toEqual(['must polling/event-t-back', 'must line/tool-runs']);
  });

  it('excuses only consequences of an event that the service lost', () => {
    const { run } = bad['a success reported as a failure']!;
    const lost = { rules: [sameInstant], tasks: neverCame, trace: madeThenPolled };
    expect(failures({ ...run, ...lost }).map(({ rule }) => rule)).toEqual(['replies/outcome']);
    const hung = { ...good['an event lost by the service']!, ...lost };
    expect(failures({ ...hung, trace: madeThenPolled.slice(0, 1) }).map(({ rule }) => rule)).toEqual([
      'run/ended',
    ]);
    expect(failures({ ...hung, rules: [] }).map(({ rule }) => rule)).toEqual(['run/ended']);
  });

  it('excuses a call that only a look at the status lists, as the poll for events was before it', () => {
    const both = { events: [weather('c1', 5, 'Lima'), weather('c2', 5, 'Quito')] };
    const judge = (look: ExchangeBuilder) => {
      const talk = look.poll(at(5)).poll(at(5));
      const line = { ...gaveUpLine('too late'), tool_runs: [inCity('Lima')] };
      const [task] = neverCame;
      const first = { ...task!.calls[0]!, id: 'c1', step: 'first' };
      const tasks = [{ ...task!, calls: [first, ...task!.calls] }];
      const lost = { rules: [sameInstant], tasks, trace: madeThenPolled };
      return failures({ ...withTools(talk, line), ...lost, exitCode: 1 }).map(({ rule }) => rule);
    };
    const read = () =>
      new ExchangeBuilder()
        .create()
        .poll(0, { events: both.events.slice(0, 1) })
        .reply('c1');
    expect(judge(read().poll(undefined, both))).toEqual([]);
    expect(judge(new ExchangeBuilder().create().poll(0, both).reply('c1'))).toContain('replies/each-call');
  });

  it('orders events within one ms by the trace', () => {
    // Four polls were under way when the end had a response, all at the same ms.
    const talk = new ExchangeBuilder().create();
    for (let n = 0; n < 4; n++) talk.complete(undefined);
    const trace: ClientRun['trace'] = [];
    for (const { seq, request, response } of talk.exchanges.slice(1)) {
      request.at = response!.at = at(900);
      trace.push({
        what: 'arrive',
        name: `poll#${seq}`,
        kind: 'poll',
        of: {},
        skip: 0,
        task: 1,
        seq,
        at: at(900),
      });
    }
    for (const { seq } of talk.exchanges.slice(1))
      trace.push({
        what: 'response',
        name: `poll#${seq}`,
        kind: 'poll',
        status: 200,
        events: [],
        seq,
        at: at(900),
      });
    expect(judgeRun(createRun(talk, { kind: 'node', trace }))).toEqual([]);
    expect(judgeRun(createRun(talk, { kind: 'node' })).map(({ rule }) => rule)).toEqual(['polling/one-more']);
  });
});

describe('what a client function leaves behind', () => {
  const judge = (left: Partial<LeftOpen>, more: Partial<ClientRun> = {}) => {
    const leftOpen = { timers: 0, requests: 0, sockets: 0, servers: 0, listeners: 0, ...left };
    return judgeRun(createRun(buildPlainExchanges(), { kind: 'function', leftOpen, ...more }));
  };

  it('is advice: a timer or a socket that does nothing breaks no rule', () => {
    expect(judge({})).toEqual([]);
    const [advice] = judge({ timers: 2, sockets: 1, listeners: 3 });
    expect(advice).toMatchObject({ rule: 'run/left-open', level: 'advice' });
    expect(advice!.message).toMatch(/left 2 timers and 1 open socket and 3 process listeners behind/);
    expect(judge({ requests: 1 })).toMatchObject([{ rule: 'run/left-open' }]);
    const givenUp = judge({ requests: 1 }, { exitCode: 1, line: undefined, error: 'no luck' });
    expect(givenUp.map(({ rule }) => rule)).not.toContain('run/left-open');
  });
});

describe('a request after the end of a client function', () => {
  const levels = (talk: ExchangeBuilder, line: ClientRun['line']) =>
    judgeRun(createRun(talk, { kind: 'function', line, exitCode: 1, late: [talk.exchanges.length] }))
      .filter(({ rule }) => rule === 'run/late-request')
      .map(({ level }) => level);
  const gaveUp = { status: 'running', results: [], tool_runs: [], error: 'gave up' };

  it('is advice if the client was allowed to give up', () => {
    const broken = new ExchangeBuilder()
      .create()
      .addExchange(poll, { status: 503, body: { detail: 'down' } })
      .poll(0);
    expect(levels(broken, gaveUp)).toEqual(['advice']);
    expect(levels(new ExchangeBuilder().create().poll(0).poll(0), gaveUp)).toEqual(['must']);
  });

  it('is a failure if more follow: something goes on running', () => {
    const broken = new ExchangeBuilder()
      .create()
      .addExchange(poll, { status: 503, body: { detail: 'down' } });
    const late = [3, 4, 5, 6, 7, 8];
    for (const _ of late) broken.poll(0);
    const run = createRun(broken, { kind: 'function', line: gaveUp, exitCode: 1, late });
    expect(judgeRun(run)).toContainEqual(
      expect.objectContaining({ rule: 'run/late-request', level: 'must' }),
    );
  });
});
