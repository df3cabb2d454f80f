import { runAttached } from '../../conformance/client/run/attached-run.js';
import type { Client } from '../../conformance/client/types.js';
import { formatCommandLine, splitCommandLine } from '../../conformance/common/shell.js';
import type { Timers } from '../../mock/clock/wake-up-timer.js';
import type { ScenarioSource } from '../../mock/engine/organisation.js';
import { MockError } from '../../mock/exchange/errors.js';
import type { Mock } from '../../mock/mock.js';
import type {
  ClientOutput,
  ClientOutputView,
  ClientRuns,
  ClientRunsView,
  ClientRunView,
} from '../../mock/options/client-runs.js';
import { getService } from '../../mock/service.js';
import { listLeadingCreateRules } from '../../scenarios/format/network/rule.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { formatSuggestion } from '../../spec/nearest.js';
import { quote } from '../../spec/show.js';
import { UsageError } from '../exit-codes.js';
import { resolveClient } from '../judging/client-command.js';
import { FolderWatch } from './folder-watch.js';

/** Runs that are kept. */
const MOST_RUNS = 20;
/** Characters of the output of a run that are kept. */
const MOST_PRINTED = 256 * 1024;

/** The end of the output of a run. */
class KeptOutput {
  readonly #parts: ClientOutput[] = [];
  #kept = 0;
  total = 0;

  add(output: ClientOutput): void {
    this.#parts.push(output);
    this.total += output.text.length;
    this.#kept += output.text.length;
    while (this.#kept > MOST_PRINTED && this.#parts.length > 1)
      this.#kept -= this.#parts.shift()!.text.length;
  }

  read(since: number): ClientOutputView {
    let at = this.total - this.#kept;
    const leftOut = Math.max(0, at - since);
    const parts: ClientOutput[] = [];
    for (const { from, text } of this.#parts) {
      const rest = text.slice(Math.max(0, since - at));
      if (rest !== '') parts.push({ from, text: rest });
      at += text.length;
    }
    return { leftOut, parts, next: this.total };
  }
}

interface ActiveRun {
  stop: AbortController;
  ended: Promise<void>;
}

/** Runs the client of `mock --client`, one run at a time, each with an API key of its own. */
export class CommandRuns implements ClientRuns {
  readonly #outputs = new Map<number, KeptOutput>();
  #mock: { mock: Mock; baseUrl: string } | undefined;
  #view: ClientRunsView;
  #active: ActiveRun | undefined;
  #watch: FolderWatch | undefined;
  /** Of the last run. */
  #scenario: string | undefined;
  #count = 0;

  /** `folder`: its files are watched. */
  constructor(
    private readonly command: readonly string[],
    private readonly folder: string,
    private readonly timers: Timers,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.#view = { command: formatCommandLine(command), isWatching: false, runs: [] };
  }

  /** Call it when the mock listens. */
  attach(mock: Mock, baseUrl: string): void {
    this.#mock = { mock, baseUrl };
  }

  view(): ClientRunsView {
    return this.#view;
  }

  readOutput(id: number, since: number): ClientOutputView | undefined {
    return this.#outputs.get(id)?.read(since);
  }

  async start({
    scenario: name,
    isWatching,
  }: {
    scenario?: string | undefined;
    isWatching: boolean;
  }): Promise<ClientRunView> {
    const { mock, baseUrl } = this.#mock!;
    const scenario = name === undefined ? undefined : await findScenario(mock, name);
    if (this.#active) throw new MockError('taken', 'The client is running: end that run first (DELETE).');
    const service = getService(mock);
    const id = ++this.#count;
    let key = `client-${id}`;
    while (service.organisations.get(key)) key += '-new';
    const organisation = service.organisations.open(key);
    if (scenario) {
      organisation.sources = [createSource(scenario), ...organisation.sources];
      organisation.network.add(listLeadingCreateRules(scenario));
    }
    const output = new KeptOutput();
    this.#outputs.set(id, output);
    const run: ClientRunView = {
      id,
      state: 'running',
      organisation: organisation.name,
      scenario: name,
      startedAt: Date.now(),
      durationMs: undefined,
      exitCode: null,
      signal: null,
      problem: undefined,
      findings: [],
      printed: 0,
    };
    const runs = [...this.#view.runs, run].slice(-MOST_RUNS);
    for (const old of this.#view.runs) if (!runs.includes(old)) this.#outputs.delete(old.id);
    this.#view = { ...this.#view, isWatching, runs };
    const stop = new AbortController();
    const plan = { command: this.command, baseUrl, organisation, scenario, seed: 1, signal: stop.signal };
    const ended = runAttached({
      ...plan,
      onOutput: (part) => {
        output.add(part);
        this.#update(id, { printed: output.total });
      },
    }).then(
      ({ end, exitCode = null, signal = null, error, findings, durationMs }) => {
        const state = end === 'aborted' ? 'stopped' : 'ended';
        const problem = error ?? (end === 'output-flood' ? 'it printed more than 8 MiB' : undefined);
        this.#update(id, { state, exitCode, signal, problem, findings, durationMs });
      },
      (error: unknown) => {
        this.#update(id, { state: 'ended', problem: 'taskdouble itself failed: see its log' });
        this.onFault(error);
      },
    );
    this.#active = { stop, ended };
    this.#watch?.pause();
    void ended.then(() => {
      this.#active = undefined;
      this.#watch?.resume();
    });
    this.#scenario = name;
    if (!isWatching) this.#closeWatch();
    else if (!this.#watch) await this.#openWatch();
    return run;
  }

  async stop(): Promise<void> {
    this.#closeWatch();
    this.#view = { ...this.#view, isWatching: false };
    this.#active?.stop.abort();
    await this.#active?.ended;
  }

  #update(id: number, change: Partial<ClientRunView>): void {
    const runs = this.#view.runs.map((each) => (each.id === id ? { ...each, ...change } : each));
    this.#view = { ...this.#view, runs };
  }

  /** A client may write files itself: changes during a run start no other run. */
  async #openWatch(): Promise<void> {
    const again = () => {
      if (!this.#active) this.start({ scenario: this.#scenario, isWatching: true }).catch(this.onFault);
    };
    const watch = new FolderWatch(this.folder, again, this.timers);
    this.#watch = watch;
    watch.pause();
    await watch.open();
  }

  #closeWatch(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }
}

/** Rejects with MockError for an unknown name. */
async function findScenario(mock: Mock, name: string): Promise<Scenario> {
  const { scenarios } = getService(mock);
  await scenarios.loadLibrary();
  const sources = scenarios.listSources();
  for (const source of sources) {
    const found = source.findByName(name);
    if (found) return found;
  }
  const names = sources.flatMap((source) => source.listNames());
  throw new MockError('missing', `There is no scenario ${quote(name)}${formatSuggestion(name, names)}.`);
}

/** Every task follows the scenario, also after a lost response to a create. */
function createSource(scenario: Scenario): ScenarioSource {
  return {
    findByName: (name) => (name === scenario.name ? scenario : undefined),
    listNames: () => [scenario.name],
    choose: () => scenario,
    findNearest: () => undefined,
  };
}

const TIMERS: Timers = {
  set: (callback, delay_ms) => setTimeout(callback, delay_ms).unref(),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** Throws UsageError if the command cannot be started. */
export function createClientRuns(line: string, onFault: (error: unknown) => void): CommandRuns {
  const words = splitCommandLine(line);
  if (words === undefined) throw new UsageError(`--client: a quote is not closed in ${quote(line)}.`);
  const client = resolveClient(words, 'real', 'mock --client');
  const { command } = client as Exclude<Client, { kind: 'function' }>;
  return new CommandRuns(command, process.cwd(), TIMERS, onFault);
}
