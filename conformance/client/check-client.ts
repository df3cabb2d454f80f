import type { Choices } from '../../mock/options/mock-options.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { KeptBodies } from '../report/kept-bodies.js';
import { coverageOf } from '../service/runner/coverage.js';
import {
  type Advice,
  type CheckResult,
  type ConformEvent,
  type ConformReport,
  summaryOf,
  type TimeOfRuns,
} from '../service/runner/result.js';
import { VERSION } from '../version.js';
import { gathered, keptOf } from './judge/gathered.js';
import { CHECKS_OF_A_RUN, checksOf, crashed, skipped, untried } from './judge/run-checks.js';
import { findingsOf } from './judge/verdict.js';
import { againOf, nameOf } from './run/client-name.js';
import { clientFrom, type GivenScenarios, scenariosFrom, type WithClient } from './run/given.js';
import { play } from './run/play.js';
import { playable } from './run/playable.js';
import { asksHonestly } from './run/unknown-scenario.js';
import type { Client } from './types.js';

export interface CheckClientOptions extends WithClient {
  /** What is played; the whole library unless given. */
  scenarios?: GivenScenarios;
  /** Decides whatever is drawn. Default 1. */
  seed?: number;
  /** Until the client has to be through with a scenario, ms on its own clock. */
  deadline_ms?: number;
  /** Scenarios at a time. Default 4; functions run one by one. */
  jobs?: number;
  dialect?: Choices;
  /** Ask first for a scenario that does not exist. Default true. */
  honesty?: boolean;
  /** Ends the run early: what is known so far is the report. */
  signal?: AbortSignal;
}

/** A run's report, and what a report has no place for. */
export interface ClientChecked extends ConformReport {
  /** Why the client could not be started; undefined when it could. Nothing was tested then. */
  not_started?: string;
  /** Faults of the harness itself. */
  faults: string[];
}

/** Each run has a mock of its own, on a port of its own. */
const BASE_URL = 'http://127.0.0.1';

const HONESTY: Pick<CheckResult, 'id' | 'suite' | 'title' | 'covers'> = {
  id: 'honesty#unknown-scenario',
  suite: 'honesty',
  title: 'A client that cannot do what it was asked for says so',
  covers: ['CLIENT-10'],
};

interface Part {
  checks: CheckResult[];
  advice: Advice[];
  exchanges: Exchange[];
}

const TIME: Readonly<Record<Client['kind'], TimeOfRuns>> = {
  function: 'virtual (in process)',
  node: 'virtual (Node.js)',
  command: 'real',
};

/** Judges a client by scenarios. Nothing that the client does is thrown. */
export async function checkClient(
  options: CheckClientOptions,
  onEvent: (event: ConformEvent) => void = () => {},
): Promise<ClientChecked> {
  const scenarios = options.scenarios ? await scenariosFrom(options.scenarios) : await loadLibrary();
  return new Checking({ ...options, client: clientFrom(options) }, scenarios, onEvent).whole();
}

class Checking {
  readonly #parts = new Map<number, Part>();
  readonly #bodies = new KeptBodies();
  readonly #faults: string[] = [];
  readonly #seed: number;
  #notStarted: string | undefined;
  #left: number;
  #done = 0;

  constructor(
    private readonly options: Omit<CheckClientOptions, 'client'> & { client: Client },
    private readonly scenarios: readonly Scenario[],
    private readonly onEvent: (event: ConformEvent) => void,
  ) {
    this.#seed = options.seed ?? 1;
    this.#left = scenarios.length * CHECKS_OF_A_RUN + (options.honesty === false ? 0 : 1);
  }

  async whole(): Promise<ClientChecked> {
    const started = new Date();
    const from = performance.now();
    this.onEvent({
      type: 'start',
      baseUrl: BASE_URL,
      seed: this.#seed,
      checks: this.#left,
      tasks: this.scenarios.length,
    });
    if (this.options.honesty !== false && !this.#aborted) await this.#honesty();
    await this.#all();
    const parts = [...this.#parts].sort(([one], [other]) => one - other).map(([, part]) => part);
    const report = this.#report(gathered(parts), started, Math.round(performance.now() - from));
    this.onEvent({ type: 'end', report });
    const checked: ClientChecked = { ...report, faults: this.#faults };
    if (this.#notStarted !== undefined) checked.not_started = this.#notStarted;
    return checked;
  }

  get #aborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  async #all(): Promise<void> {
    const open = [...this.scenarios.entries()];
    const jobs = this.options.client.kind === 'function' ? 1 : Math.max(1, this.options.jobs ?? 4);
    const work = async () => {
      for (let next = open.shift(); next && !this.#aborted; next = open.shift()) await this.#one(...next);
    };
    await Promise.all(Array.from({ length: Math.min(jobs, open.length) }, work));
  }

  /** Position 0 is the honesty's. */
  async #one(at: number, scenario: Scenario): Promise<void> {
    const why = playable(scenario);
    if (why !== undefined) return this.#add(at + 1, { checks: [skipped(scenario, why)] }, CHECKS_OF_A_RUN);
    if (this.#notStarted !== undefined) {
      const message = `not tried: ${this.#notStarted}`;
      return this.#add(at + 1, { checks: [untried(scenario, message)] }, CHECKS_OF_A_RUN);
    }
    this.onEvent({ type: 'case', case: scenario.name, running: true });
    try {
      const run = await play(scenario, this.options.client, this.#playOptions());
      if (run.end === 'not-started') this.#notStarted ??= run.error ?? 'the client could not be started';
      if (run.end !== 'aborted') {
        const again = againOf(this.options.client, scenario, this.#seed);
        const part = checksOf(run, findingsOf(run), again);
        this.#add(at + 1, { ...part, exchanges: run.exchanges }, CHECKS_OF_A_RUN);
      }
    } catch (error) {
      const why = this.#fault(scenario.name, error);
      this.#add(at + 1, { checks: [crashed(scenario, why)] }, CHECKS_OF_A_RUN);
    } finally {
      this.onEvent({ type: 'case', case: scenario.name, running: false });
    }
  }

  async #honesty(): Promise<void> {
    try {
      const { outcome, message, run } = await asksHonestly(this.options.client, this.#playOptions());
      if (outcome === 'not-started') {
        this.#notStarted = message;
        this.#left--;
        return;
      }
      if (run.end === 'aborted') return;
      const check: CheckResult = {
        ...HONESTY,
        outcome: outcome === 'honest' ? 'passed' : outcome === 'silent' ? 'inconclusive' : 'failed',
        message,
        evidence: run.exchanges.slice(0, 3).map(({ seq }) => seq),
      };
      this.#add(0, { checks: [check], exchanges: run.exchanges }, 1);
    } catch (error) {
      const message = this.#fault('honesty', error);
      this.#add(0, { checks: [{ ...HONESTY, outcome: 'error', message, evidence: [] }] }, 1);
    }
  }

  #playOptions() {
    const { deadline_ms, dialect, signal } = this.options;
    return {
      seed: this.#seed,
      ...(deadline_ms === undefined ? {} : { deadline_ms }),
      dialect,
      signal,
    };
  }

  /** Gives what the check says of it. */
  #fault(where: string, error: unknown): string {
    const text = error instanceof Error ? error.message : String(error);
    this.#faults.push(`${where}: ${text}`);
    this.onEvent({ type: 'note', text: `${where}: taskdouble itself failed: ${text}` });
    return `the check itself crashed, which is a fault of taskdouble (${text})`;
  }

  #add(at: number, part: Partial<Part> & Pick<Part, 'checks'>, planned: number): void {
    const whole: Part = { advice: [], exchanges: [], ...part };
    const exchanges = keptOf(whole);
    const failed = new Set(
      part.checks.flatMap(({ outcome, evidence }) => (outcome === 'failed' ? evidence : [])),
    );
    for (const [index, { seq }] of exchanges.entries())
      this.#bodies.add(exchanges, index, failed.has(seq) ? 'failed' : 'passed');
    this.#parts.set(at, { ...whole, exchanges });
    this.#left -= planned;
    for (const [n, check] of part.checks.entries()) {
      const total = this.#done + (part.checks.length - n) + this.#left;
      this.onEvent({ type: 'check', check, done: ++this.#done, total });
    }
  }

  #report({ checks, advice, exchanges }: Part, started: Date, duration_ms: number): ConformReport {
    const { client } = this.options;
    const report: ConformReport = {
      taskdouble: VERSION,
      target: { base_url: BASE_URL, client: nameOf(client), time: TIME[client.kind] },
      seed: this.#seed,
      started: started.toISOString(),
      duration_ms,
      summary: summaryOf(checks),
      checks,
      advice,
      exchanges,
      dialect: {},
      requirements: coverageOf('client', checks, () => 'no scenario that was played gave the occasion'),
    };
    if (this.#bodies.shortened > 0) report.shortened = this.#bodies.shortened;
    if (this.#aborted) report.stopped = 'interrupted';
    else if (this.#notStarted !== undefined) report.stopped = this.#notStarted;
    return report;
  }
}
