import { MANUAL_START_MS } from '../../../mock/engine/clock.js';
import type { Choices } from '../../../mock/options/mock-options.js';
import { OrganisationTime } from '../../../mock/virtual-time/mock-service-time.js';
import { real } from '../../../mock/virtual-time/real.js';
import {
  type ClientOfRun,
  prepareVirtualTime,
  runVirtually,
} from '../../../mock/virtual-time/virtual-run.js';
import type { Client, ClientContext, ClientRun, ResultLine } from '../types.js';
import { copyOf } from './copy.js';
import { messageOf, readValue } from './line.js';
import { Stage } from './mock-session.js';
import { FLOOD_OF_REQUESTS } from './recording.js';
import { isHang, type RunPlan } from './settings.js';
import { waitingFor } from './waiting-for.js';

type FunctionClient = Extract<Client, { kind: 'function' }>;

/** Stands for the address of the mock. Nobody listens there: a client that does not use the `fetch` it was given learns it at once. */
const BASE_URL = 'http://127.0.0.1:1';

/** How long the platform stays prepared after a run: preparing it takes longer than a run, ms. */
const PREPARED_MS = 50;

/** Runs client functions on virtual time, one after another. It keeps one mock: making one takes longer than a run. */
export class FunctionPlayer {
  #stage: Promise<Stage> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #release: (() => void) | undefined;
  #pending = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly dialect?: Choices) {}

  /** Never rejects for what the client does. */
  play(client: FunctionClient, plan: RunPlan): Promise<ClientRun> {
    this.#pending++;
    this.#release ??= prepareVirtualTime();
    const run = this.#last.then(() => this.#play(client, plan)).finally(() => this.#ended());
    this.#last = run.catch(() => {});
    return run;
  }

  async close(): Promise<void> {
    await this.#last;
    (await this.#stage)?.giveBack();
    this.#stage = undefined;
    this.#letGo();
  }

  #ended(): void {
    if (--this.#pending > 0) return;
    if (this.#timer) this.#timer.refresh();
    else this.#timer = real.setTimeout(() => this.#letGo(), PREPARED_MS).unref();
  }

  #letGo(): void {
    if (this.#pending > 0) return;
    this.#release?.();
    this.#release = undefined;
  }

  async #play(client: FunctionClient, plan: RunPlan): Promise<ClientRun> {
    this.#stage ??= Stage.open({ clock: 'manual', dialect: this.dialect, origin: BASE_URL });
    const stage = await this.#stage;
    const { scenario, job, seed, key, patience_ms: deadlineMs, stalled_ms: stalledMs } = plan;
    stage.begin(scenario, key, plan.network);
    const outcome = await runVirtually((run: ClientOfRun) => client.run(contextOf(run, stage, plan)), {
      service: new OrganisationTime(stage.mock, key),
      patience: { deadlineMs, stalledMs },
      startMs: MANUAL_START_MS,
      // AbortSignal.any would keep something of each run for as long as the search lasts.
      signal: {
        get aborted() {
          return stage.isFull || plan.signal?.aborted === true;
        },
      },
    });
    const { value, error, unhandled, at } = outcome;
    const isFull = outcome.ended === 'aborted' && stage.isFull;
    const ended = isFull ? 'flooded' : outcome.ended;
    // Anything can be thrown, undefined too.
    const threw = 'error' in outcome;
    const underWay = isHang(ended) ? stage.underWay() : [];
    const read = ended !== 'by-itself' || threw ? undefined : readValue(value);
    const run: ClientRun = {
      scenario,
      job,
      way: 'function',
      seed,
      end: ended,
      exit_code: ended === 'by-itself' ? exitCode(threw, read?.line) : null,
      signal: null,
      line: read?.line,
      line_problem: read
        ? read.problem
        : threw
          ? 'the function threw, and so gave nothing'
          : 'the function had not ended',
      error: isFull ? FLOOD_OF_REQUESTS : threw ? messageOf(error) : undefined,
      unhandled: unhandled ? messageOf(error) : undefined,
      left_behind: 0,
      stderr: '',
      waiting_for: undefined,
      ...stage.end(),
      duration_ms: at - MANUAL_START_MS,
    };
    if (isHang(ended)) run.waiting_for = waitingFor(run, underWay);
    return run;
  }
}

/** As it would be of a command that does the same. */
function exitCode(threw: boolean, line: ResultLine | undefined): number {
  const gaveUp = line !== undefined && line.error !== undefined && line.error !== null;
  return threw || gaveUp ? 1 : 0;
}

function contextOf(run: ClientOfRun, stage: Stage, { scenario, key, job }: RunPlan): ClientContext {
  return {
    baseUrl: BASE_URL,
    apiKey: key,
    fetch: run.connect(stage.mock.fetch as typeof fetch),
    signal: run.signal,
    scenario: scenario.name,
    // It may do with it what it likes.
    job: copyOf(job),
  };
}
