import { MANUAL_START_MS } from '../../../mock/engine/clock.js';
import type { Choices } from '../../../mock/options/mock-options.js';
import { OrganisationTime } from '../../../mock/virtual-time/mock-service-time.js';
import { real } from '../../../mock/virtual-time/real.js';
import {
  type ClientOfRun,
  prepareVirtualTime,
  queueRun,
  runVirtually,
} from '../../../mock/virtual-time/virtual-run.js';
import type { Client, ClientContext, ClientRun, ResultLine } from '../types.js';
import { MockSession } from './mock-session.js';
import { messageOf, readValue } from './result-line.js';
import type { RunPlan } from './run-plan.js';

type FunctionClient = Extract<Client, { kind: 'function' }>;

/** Stands for the address of the mock. Nobody listens there: a client that does not use the `fetch` it was given learns it at once. */
const BASE_URL = 'http://127.0.0.1:1';

/** How long the platform stays prepared after a run: preparing it takes longer than a run, ms. */
const PREPARED_MS = 50;

/** Runs client functions on virtual time, one after another. It keeps one mock: making one takes longer than a run. */
export class FunctionPlayer {
  #session: Promise<MockSession> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #restore: (() => void) | undefined;
  #pending = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly dialect?: Choices) {}

  /** Never rejects for what the client does. */
  play(client: FunctionClient, plan: RunPlan): Promise<ClientRun> {
    this.#pending++;
    this.#restore ??= prepareVirtualTime();
    const run = this.#last.then(() => this.#play(client, plan)).finally(() => this.#ended());
    this.#last = run.catch(() => {});
    return run;
  }

  async close(): Promise<void> {
    await this.#last;
    (await this.#session)?.release();
    this.#session = undefined;
    this.#restoreTime();
  }

  #ended(): void {
    if (--this.#pending > 0) return;
    if (this.#timer) this.#timer.refresh();
    else this.#timer = real.setTimeout(() => this.#restoreTime(), PREPARED_MS).unref();
  }

  #restoreTime(): void {
    if (this.#pending > 0) return;
    this.#restore?.();
    this.#restore = undefined;
  }

  async #play(client: FunctionClient, plan: RunPlan): Promise<ClientRun> {
    this.#session ??= MockSession.open({ clock: 'manual', dialect: this.dialect, origin: BASE_URL });
    const session = await this.#session;
    const { scenario, job, seed, key, patienceMs, stalledMs } = plan;
    session.begin(scenario, key, plan.network);
    const start = async (run: ClientOfRun) => client.run(contextOf(run, session, plan));
    const options = {
      service: new OrganisationTime(session.mock, key),
      patience: { deadlineMs: patienceMs, stalledMs },
      startMs: MANUAL_START_MS,
      // AbortSignal.any would keep something of each run for as long as the search lasts.
      signal: {
        get aborted() {
          return session.isFull || plan.signal?.aborted === true;
        },
      },
    };
    const outcome = await queueRun(() => runVirtually(start, options));
    const { value, error, unhandled, at } = outcome;
    const end = outcome.ended === 'aborted' && session.isFull ? 'request-flood' : outcome.ended;
    // Anything can be thrown, undefined too.
    const hasThrown = 'error' in outcome;
    const read = end !== 'by-itself' || hasThrown ? undefined : readValue(value);
    const problem = hasThrown ? 'the function threw, and so gave nothing' : 'the function had not ended';
    return {
      scenario,
      job,
      kind: 'function',
      seed,
      end,
      exitCode: end === 'by-itself' ? exitCode(hasThrown, read?.line) : null,
      signal: null,
      line: read?.line,
      lineProblem: read ? read.problem : problem,
      error: hasThrown ? messageOf(error) : undefined,
      unhandled: unhandled ? messageOf(error) : undefined,
      leftBehind: 0,
      stderr: '',
      pending: session.pending(),
      ...session.end(),
      durationMs: at - MANUAL_START_MS,
    };
  }
}

/** As it would be of a command that does the same. */
function exitCode(hasThrown: boolean, line: ResultLine | undefined): number {
  const gaveUp = line !== undefined && line.error !== undefined && line.error !== null;
  return hasThrown || gaveUp ? 1 : 0;
}

function contextOf(run: ClientOfRun, session: MockSession, { scenario, key, job }: RunPlan): ClientContext {
  return {
    baseUrl: BASE_URL,
    apiKey: key,
    fetch: run.connect(session.mock.fetch as typeof fetch),
    signal: run.signal,
    scenario: scenario.name,
    // The client may change it.
    job: structuredClone(job),
  };
}
