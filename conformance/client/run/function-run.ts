import { MANUAL_START_MS } from '../../../mock/engine/clock.js';
import { MockServiceTime } from '../../../mock/virtual-time/mock-service-time.js';
import { type ClientHandle, runVirtually } from '../../../mock/virtual-time/virtual-run.js';
import type { Client, ClientContext, Job, ResultLine } from '../types.js';
import { CapturedOutput } from './captured-output.js';
import { MockSession } from './mock-session.js';
import type { RunPlan, RunRecord } from './play.js';
import { formatError, readValue } from './result-line.js';

/** Placeholder for the mock's address. Nothing listens there: a client that does not use the given `fetch` fails at once. */
const BASE_URL = 'http://127.0.0.1:1';

/** Time in which timers that a function left behind fire, ms. */
const LEFTOVERS_MS = 10_000;

/** Runs a client function on virtual time. Only one may run at a time. */
export async function runFunction(
  client: Extract<Client, { kind: 'function' }>,
  { scenario, job, key, patienceMs, signal, dialect }: RunPlan,
): Promise<RunRecord> {
  const session = await MockSession.open({ clock: 'manual', dialect, origin: BASE_URL }, job);
  const service = new MockServiceTime(session.mock);
  const output = new CapturedOutput();
  const restoreExit = refuseExit();
  let isFull = false;
  let requestsOfRun = Infinity;
  try {
    session.begin(scenario, key, () => {
      isFull = true;
    });
    const outcome = await runVirtually(
      async (run) => {
        const value = await client.run(
          addSignal(run, {
            baseUrl: BASE_URL,
            apiKey: key,
            fetch: run.connect(session.mock.fetch as typeof fetch),
            scenario: scenario.name,
            // A copy: the client may change it.
            job: copyJson(job) as Job,
          }),
        );
        requestsOfRun = service.countArrived();
        return value;
      },
      {
        service,
        seed: key,
        patience: { deadlineMs: patienceMs, stalledMs: patienceMs },
        leftoversMs: LEFTOVERS_MS,
        // AbortSignal.any would retain memory of each run during the whole search.
        signal: {
          get aborted() {
            return isFull || signal?.aborted === true;
          },
        },
      },
    );
    const { value, error, unhandled, at } = outcome;
    const end: RunRecord['end'] = outcome.ended === 'aborted' && isFull ? 'request-flood' : outcome.ended;
    // Any value can be thrown, even undefined.
    const hasThrown = 'error' in outcome;
    const read = end !== 'by-itself' || hasThrown ? undefined : readValue(value);
    const problem = hasThrown ? 'the function threw, and so returned nothing' : 'the function had not ended';
    const pending = session.listPending();
    const record = session.end();
    const late = record.exchanges.flatMap(({ seq }) => (seq > requestsOfRun ? [seq] : []));
    return Object.assign(record, {
      end,
      exitCode: end === 'by-itself' ? toExitCode(hasThrown, read?.line) : null,
      signal: null,
      line: read?.line,
      lineProblem: read ? read.problem : problem,
      error: hasThrown ? formatError(error) : undefined,
      unhandled: unhandled ? formatError(error) : undefined,
      leftBehind: 0,
      late,
      stderr: output.text,
      pending,
      durationMs: at - MANUAL_START_MS,
    });
  } finally {
    restoreExit();
    output.release();
    service.release();
    session.release();
  }
}

/** Makes `process.exit` throw until it is restored: it would end the whole search without a report. */
export function refuseExit(): () => void {
  const { exit } = process;
  process.exit = (code) => {
    throw new Error(
      `the function called process.exit(${code ?? ''}), which ends the process that tests it: return or throw instead`,
    );
  };
  return () => {
    process.exit = exit;
  };
}

const RUN = Symbol('run');

/** Creates the signal on first access. One shared getter: a getter per run would keep the run in memory. */
const SIGNAL: PropertyDescriptor & ThisType<{ [RUN]: ClientHandle }> = {
  enumerable: true,
  get() {
    return this[RUN].signal;
  },
};

function addSignal(run: ClientHandle, context: Omit<ClientContext, 'signal'>): ClientContext {
  return Object.defineProperty<object>({ ...context, [RUN]: run }, 'signal', SIGNAL) as ClientContext;
}

/** The exit code of an equivalent command. */
function toExitCode(hasThrown: boolean, line: ResultLine | undefined): number {
  const gaveUp = line !== undefined && line.error !== undefined && line.error !== null;
  return hasThrown || gaveUp ? 1 : 0;
}

/** Much faster than JSON.parse(JSON.stringify(…)) or structuredClone for a value as small as a job. */
function copyJson(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each) => copyJson(each));
  const copy: Record<string, unknown> = { ...value };
  for (const name of Object.keys(copy)) copy[name] = copyJson(copy[name]);
  return copy;
}
