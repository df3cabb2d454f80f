import type { Scenario } from '../../../scenarios/format/types.js';
import { formatFailureKey } from '../../client/judge/findings.js';
import { judgeRun } from '../../client/judge/verdict.js';
import { play } from '../../client/run/play.js';
import { ClientThreads, explainNoThread } from '../../client/run/threads/client-threads.js';
import type { Client, ClientRun } from '../../client/types.js';
import { runInOrder } from '../../common/run-in-order.js';
import { findDifference } from '../schedule/run-order.js';
import type { SearchTools } from '../search-tools.js';

interface ThreadedSearch {
  command: readonly string[];
  /** First run in both ways. */
  scenarios: readonly Scenario[];
  seed: number;
  jobs: number;
  signal: AbortSignal;
  /** Called with the selected way to run the client, and the reason. */
  onNote: (text: string) => void;
}

/**
 * Tools that run a Node.js command in threads if possible, otherwise `processes`. Each scenario is first run in both ways. After a
 * difference, or after a run that needs a process, all runs are made in processes.
 */
export async function openCommandThreads(
  search: ThreadedSearch,
  processes: SearchTools,
): Promise<SearchTools> {
  const { command, scenarios, jobs, signal, onNote } = search;
  const why = explainNoThread(command);
  if (why !== undefined) {
    onNote(`runs are made in processes: ${why}`);
    return processes;
  }
  const tools = new CommandThreads(search, processes);
  await runInOrder(
    scenarios,
    jobs,
    (scenario) => tools.compare(scenario),
    () => {},
    () => tools.isInProcesses || signal.aborted,
  );
  if (!tools.isInProcesses)
    onNote(
      'runs are made in worker threads, each with modules of its own; failures are run again in processes',
    );
  return tools;
}

class CommandThreads implements SearchTools {
  readonly judge = judgeRun;
  readonly #client: Client;
  readonly #threads: ClientThreads;
  isInProcesses = false;

  constructor(
    private readonly search: ThreadedSearch,
    private readonly processes: SearchTools,
  ) {
    const { command, jobs } = search;
    this.#client = { kind: 'node', command };
    this.#threads = new ClientThreads(command[1]!, jobs);
  }

  async play(scenario: Scenario, signal?: AbortSignal): Promise<ClientRun> {
    const run = this.isInProcesses ? undefined : await this.#playInThread(scenario, signal);
    return run ?? this.processes.play(scenario, signal);
  }

  playInProcess(scenario: Scenario, signal?: AbortSignal): Promise<ClientRun> {
    return this.processes.play(scenario, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.#threads.close(), this.processes.close()]);
  }

  /** Switches to processes if the two ways of running differ. */
  async compare(scenario: Scenario): Promise<void> {
    const { signal } = this.search;
    const inThread = await this.#playInThread(scenario, signal);
    const inProcess = inThread && (await this.processes.play(scenario, signal));
    if (!inThread || !inProcess || signal.aborted) return;
    const difference = findThreadDifference(inThread, inProcess);
    if (difference !== undefined) this.#stop(`${scenario.name} is not the same in a thread: ${difference}`);
  }

  /** Undefined if the run needs a process. */
  async #playInThread(scenario: Scenario, signal: AbortSignal | undefined): Promise<ClientRun | undefined> {
    let need: string | undefined;
    const run = await play(scenario, this.#client, {
      seed: this.search.seed,
      signal,
      start: this.#threads.start((what) => {
        need ??= what;
      }),
    });
    if (need === undefined) return run;
    this.#stop(`the client uses ${need}`);
    return undefined;
  }

  #stop(why: string): void {
    if (!this.isInProcesses) this.search.onNote(`runs are made in processes: ${why}`);
    this.isInProcesses = true;
  }
}

/** Describes how a run in a thread differs from the same run in a process. */
export function findThreadDifference(thread: ClientRun, process: ClientRun): string | undefined {
  const schedule = { scenario: thread.scenario, deviations: [] };
  const order = findDifference(schedule, thread.trace, process.trace, 'virtual (Node.js)');
  if (order) return order.difference;
  const [own, other] = [summarizeRun(thread), summarizeRun(process)];
  return own === other ? undefined : `it shows ${own}, in a process ${other}`;
}

/** Each run has its own port. */
function summarizeRun(run: ClientRun): string {
  const { end, exitCode, line, lineProblem } = run;
  const rules = judgeRun(run).map(formatFailureKey);
  return JSON.stringify({ end, exitCode, line, lineProblem, rules }).replace(/127\.0\.0\.1:\d+/g, '{host}');
}
