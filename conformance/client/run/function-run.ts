import { MANUAL_START_MS } from '../../../mock/engine/clock.js';
import { MockServiceTime } from '../../../mock/virtual-time/mock-service-time.js';
import { combineServiceTimes } from '../../../mock/virtual-time/time-policy.js';
import {
  type ClientHandle,
  runVirtually,
  type VirtualOutcome,
} from '../../../mock/virtual-time/virtual-run.js';
import type { Client, ClientContext, Job, ResultLine } from '../types.js';
import { CapturedOutput } from './captured-output.js';
import { MockSession, OTHER_SEED } from './mock-session.js';
import type { OtherPlan, RunPlan, RunRecord } from './play.js';
import { formatError, readValue } from './result-line.js';

/** Placeholder for the mock's address. Nothing listens there: a client that does not use the given `fetch` fails at once. */
const BASE_URL = 'http://127.0.0.1:1';

/** Time in which timers that a function left behind fire, ms: those of pollers with a pause of half a minute, too. */
const LEFTOVERS_MS = 35_000;

/** Each run has a key of its own: what a client keeps by key, such as a pause after a 429, is of another time in the next run. */
let runCount = 0;

type FunctionClient = Extract<Client, { kind: 'function' }>;

/** Runs a client function on virtual time. Only one may run at a time. `other`: another job of the same process. */
export async function runFunction(
  client: FunctionClient,
  plan: RunPlan,
  other?: OtherPlan,
): Promise<RunRecord & { other?: RunRecord }> {
  const main = await FunctionJob.open(plan);
  const beside = other && (await FunctionJob.open(other.plan, OTHER_SEED));
  const jobs = beside ? [beside, main] : [main];
  runCount++;
  const output = new CapturedOutput();
  const restoreExit = refuseExit();
  const added = new AddedListeners();
  try {
    for (const job of jobs) job.begin();
    const patienceMs = plan.patienceMs + (other?.starts === 'before' ? other.plan.patienceMs : 0);
    const outcome = await runVirtually(
      async (run) => {
        if (beside && other?.starts === 'before') await beside.runFor(client, run, other.plan.patienceMs);
        else if (beside) await Promise.all([beside.run(client, run), main.run(client, run)]);
        if (!main.isStarted) await main.run(client, run);
      },
      {
        service: beside ? combineServiceTimes(jobs.map(({ service }) => service)) : main.service,
        seed: plan.key,
        patience: { deadlineMs: patienceMs, stalledMs: patienceMs },
        leftoversMs: LEFTOVERS_MS,
        // AbortSignal.any would retain memory of each run during the whole search.
        signal: {
          get aborted() {
            return jobs.some(({ isFull }) => isFull) || plan.signal?.aborted === true;
          },
        },
      },
    );
    const record = main.readRecord(outcome, output.text);
    if (record.end === 'by-itself' && !outcome.unhandled) {
      const requests = jobs.reduce((sum, { leftRequests }) => sum + leftRequests, 0);
      record.leftOpen = { ...outcome.left, requests, listeners: added.countRepeated() };
    }
    return beside ? Object.assign(record, { other: beside.readRecord(outcome, output.text) }) : record;
  } finally {
    restoreExit();
    added.release();
    output.release();
    for (const job of jobs) job.release();
  }
}

/** The listeners that a run adds to `process`. */
class AddedListeners {
  readonly #added: { name: NodeJS.Signals; listener: unknown }[] = [];
  readonly #record = (name: NodeJS.Signals, listener: unknown) => {
    this.#added.push({ name, listener });
  };

  constructor() {
    process.on('newListener', this.#record);
  }

  release(): void {
    process.off('newListener', this.#record);
  }

  /** Those that equal another one of their event: a client that listens once for its whole process adds none. */
  countRepeated(): number {
    return this.#added.filter(({ name, listener }) => {
      const listeners: unknown[] = process.listeners(name);
      const isEqual = (other: unknown) => other !== listener && String(other) === String(listener);
      return listeners.includes(listener) && listeners.some(isEqual);
    }).length;
  }
}

/** One job of a run: its own mock, and how the function ended it. */
class FunctionJob {
  readonly service: MockServiceTime;
  /** It has reached the memory limit. */
  isFull = false;
  #startedAt: number | undefined;
  #apiKey = '';
  /** Number of requests that had no response when the function returned. */
  leftRequests = 0;
  #end: { value?: unknown; error?: unknown; at: number; requests: number } | undefined;

  private constructor(
    private readonly plan: RunPlan,
    private readonly session: MockSession,
  ) {
    this.service = new MockServiceTime(session.mock);
  }

  static async open(plan: RunPlan, seed?: string): Promise<FunctionJob> {
    const { job, dialect } = plan;
    const options = { clock: 'manual', dialect, origin: BASE_URL, seed } as const;
    return new FunctionJob(plan, await MockSession.open(options, job));
  }

  get isStarted(): boolean {
    return this.#startedAt !== undefined;
  }

  begin(): void {
    const { scenario, key } = this.plan;
    this.#apiKey = `${key}-${runCount}`;
    const setFull = () => {
      this.isFull = true;
    };
    this.session.begin(scenario, this.#apiKey, setFull, undefined, key);
  }

  /** Never rejects: after a job that fails, the next one of the process starts. */
  async run(client: FunctionClient, run: ClientHandle): Promise<void> {
    const { scenario, job } = this.plan;
    const { service } = this;
    this.#startedAt = service.now();
    const context = {
      baseUrl: BASE_URL,
      apiKey: this.#apiKey,
      fetch: run.connect(this.session.mock.fetch as typeof fetch),
      scenario: scenario.name,
      // A copy: the client may change it.
      job: copyJson(job) as Job,
    };
    try {
      const value = await client.run(addSignal(run, context));
      // What ends by the signal alone has not ended by itself.
      if (!run.isOver) this.#end = { value, at: service.now(), requests: service.countArrived() };
    } catch (error) {
      // Any value can be thrown, even undefined.
      if (!run.isOver) this.#end = { error, at: service.now(), requests: service.countArrived() };
    }
    this.leftRequests = service.countArrived() - service.countResponded();
  }

  /** Stops waiting after `mostMs`. */
  async runFor(client: FunctionClient, run: ClientHandle, mostMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, mostMs);
    });
    await Promise.race([this.run(client, run), limit]);
    clearTimeout(timer);
  }

  readRecord(outcome: VirtualOutcome<void>, stderr: string): RunRecord {
    const { session } = this;
    const pending = session.listPending();
    const record = session.end();
    const { requests = Infinity, at = outcome.at } = this.#end ?? {};
    // An error that nothing caught ends every job of the process.
    const result: Pick<VirtualOutcome<unknown>, 'value' | 'error'> = this.#end ??
    (outcome.unhandled ? { error: outcome.error } : {});
    const end = this.#classifyEnd(outcome);
    const hasThrown = 'error' in result;
    const read = end !== 'by-itself' || hasThrown ? undefined : readValue(result.value);
    const problem = hasThrown ? 'the function threw, and so returned nothing' : 'the function had not ended';
    const error = hasThrown ? formatError(result.error) : undefined;
    return Object.assign(record, {
      end,
      exitCode: end === 'by-itself' ? toExitCode(hasThrown, read?.line) : null,
      signal: null,
      line: read?.line,
      lineProblem: read ? read.problem : problem,
      error,
      unhandled: this.#end ? undefined : error,
      leftBehind: 0,
      late: record.exchanges.flatMap(({ seq }) => (seq > requests ? [seq] : [])),
      stderr,
      pending,
      durationMs: at - (this.#startedAt ?? MANUAL_START_MS),
    });
  }

  release(): void {
    this.service.release();
    this.session.release();
  }

  #classifyEnd({ ended, unhandled }: VirtualOutcome<void>): RunRecord['end'] {
    if (this.#end || unhandled) return 'by-itself';
    // Nothing else ends a run before its time.
    if (ended === 'aborted' && this.plan.signal?.aborted !== true) return 'request-flood';
    // The next job was not made to wait any longer.
    return ended === 'by-itself' ? 'deadline' : ended;
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
