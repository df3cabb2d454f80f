import { createRandom } from '../../../mock/generate/random.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { isLacking } from '../../common/lacks.js';
import type { Shard } from '../../common/shard.js';
import { serviceRules } from '../../rules/service-rules.js';
import { HttpClient } from '../http-client/http-client.js';
import type { ServiceTarget } from '../http-client/target.js';
import { commandBuilders, listForms } from '../operations/definitions.js';
import { type Allowance, KEY_NAMES } from '../test-case/test-case.js';
import { filterKeys, readFixtures, readRestoreRequests } from './account-settings.js';
import type { DrawSettings } from './draw/command-drawer.js';
import { CommandCoverage } from './draw/draw.js';
import { drawSteps, drawTopics } from './draw/draw-sequence.js';
import { PairCoverage } from './draw/pair-coverage.js';
import { type FoundSequence, formatKey, type ServiceSearch } from './found-sequence.js';
import { MatchCounts, type ResponseDifference } from './judge/compare.js';
import { Model } from './judge/model.js';
import type { SequenceFinding } from './judge/model-comparison.js';
import { minimizeRun } from './minimize-run.js';
import { createStepSource, type PlayContext, playSequence, type SequenceRun } from './play.js';
import { findReplicas } from './replicas.js';
import { describeSequence, RUNS_AGAIN } from './results.js';
import { listCommands, listSequenceNumbers, type Sequence } from './sequence/sequence.js';

export interface SearchSettings {
  target: ServiceTarget;
  /** Detected choices of the service. */
  dialect: Readonly<Record<string, string | number>>;
  /** Number of sequences to draw. */
  sequences: number;
  /** Sends only this part of the sequences. */
  shard?: Shard | undefined;
  /** Time limit of the search, ms. */
  timeMs?: number | undefined;
  seed: number | string;
  allow?: readonly Allowance[];
  lacks?: readonly string[];
  concurrency?: number;
  /** Longest wait within a sequence, ms. */
  longestWaitMs?: number;
  /** Prefix for the names of created resources. */
  runId: string;
  signal?: AbortSignal | undefined;
  /** Called for each failure as it is found, before it is minimized. */
  onFinding?: ((finding: SequenceFinding, sequence: number) => void) | undefined;
}

/** Failures that are minimized and listed, at most. */
const MOST_FOUND = 40;
/** Pairs without a request that are listed, at most. */
const MOST_UNCOVERED = 20;
/** Sequences with an undecided difference that are replayed at the end, at most. */
const MOST_UNDECIDED = 30;

/** Draws sequences of requests, sends each to the service and to its model, and reports the differences. */
export function search(settings: SearchSettings): Promise<ServiceSearch> {
  return playAgainstModel(settings, new MatchCounts(), (context) => new Search(settings, context).run());
}

/** Plays a sequence once; every difference counts as a failure. */
export function replaySequence(
  settings: Pick<SearchSettings, 'target' | 'runId' | 'longestWaitMs' | 'signal'>,
  { dialect = {}, steps }: { dialect?: SearchSettings['dialect']; steps: Sequence },
): Promise<SequenceRun> {
  return playAgainstModel({ ...settings, dialect }, new MatchCounts(true), (context) =>
    playSequence(context, `td-${settings.runId}-1`, createStepSource(steps)),
  );
}

async function playAgainstModel<T>(
  settings: Pick<SearchSettings, 'target' | 'dialect' | 'concurrency' | 'longestWaitMs' | 'signal'>,
  matchCounts: MatchCounts,
  run: (context: PlayContext) => Promise<T>,
): Promise<T> {
  const { target, dialect, concurrency = 1, longestWaitMs = 1500, signal } = settings;
  const model = new Model(dialect, await readFixtures(new HttpClient(target)));
  await model.prepare();
  const isNewestFirst = dialect['task.list-order'] === 'newest-first' && concurrency === 1;
  try {
    return await run({
      target,
      model,
      rules: serviceRules,
      matchCounts,
      longestWaitMs,
      isNewestFirst,
      workspaces: new Set(),
      unknownRemovals: new Map(),
      signal,
    });
  } finally {
    await model.close();
  }
}

class Search {
  readonly #found = new Map<string, FoundSequence>();
  readonly #observations = new Map<string, ResponseDifference & { seen: number }>();
  readonly #coverage: CommandCoverage;
  readonly #forms = new Map<OperationId, number>();
  readonly #avoided = new Set<string>();
  /** Operations that a limit of the account refused when they were last sent, and those that it refused twice in a row. */
  readonly #limited = new Set<string>();
  readonly #usedUp = new Set<string>();
  /** Keys of differences that did not come back. */
  readonly #passing = new Set<string>();
  readonly #keptBefore = new Set<string>();
  readonly #kept: SequenceRun[] = [];
  readonly #undecided: { run: SequenceRun; number: number; isAlone: boolean }[] = [];
  readonly #left: string[] = [];
  readonly #drawing: DrawSettings;
  #restoreRequests: Awaited<ReturnType<typeof readRestoreRequests>> = [];
  #runs = 0;
  #requests = 0;
  #sequences = 0;
  #stopped: string | undefined;

  constructor(
    private readonly settings: SearchSettings,
    private readonly context: PlayContext,
  ) {
    const { target, allow = [], lacks = [] } = settings;
    for (const { operation } of commandBuilders)
      if (isLacking(operation, lacks)) this.#avoided.add(operation);
    const builders = commandBuilders.filter(
      ({ operation, drawAllow }) =>
        !this.#avoided.has(operation) && (drawAllow === undefined || allow.includes(drawAllow)),
    );
    this.#coverage = new CommandCoverage(new PairCoverage(builders));
    this.#drawing = {
      coverage: this.#coverage,
      forms: this.#forms,
      avoided: this.#avoided,
      usedUp: this.#usedUp,
      allow,
      keys: KEY_NAMES.filter((name) => target.keys[name] !== undefined),
      longestWaitMs: context.longestWaitMs,
    };
  }

  async run(): Promise<ServiceSearch> {
    const { sequences, shard, concurrency = 1 } = this.settings;
    const { together, alone } = listSequenceNumbers(sequences, shard);
    this.#drawing.keys = await filterKeys(new HttpClient(this.settings.target), this.#drawing.keys);
    await this.#runSome(together, concurrency, false);
    await this.#sendUndecidedAgain(false);
    await this.#runOnAccount(alone);
    return {
      found: [...this.#found.values()],
      observations: [...this.#observations.values()],
      sequences: this.#sequences,
      requests: this.#requests,
      coverage: {
        ...this.#coverage.figure,
        ...this.#coverage.operations.figures,
        uncovered: this.#coverage.operations
          .listUncovered((operation) => this.#avoided.has(operation) || this.#usedUp.has(operation))
          .slice(0, MOST_UNCOVERED),
      },
      kept: this.#kept,
      left: this.#left,
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
    };
  }

  /** Restores the account after each sequence, so that every sequence begins with the same account. */
  async #runOnAccount(numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0 || this.#stopped !== undefined || this.settings.signal?.aborted) return;
    const client = new HttpClient(this.settings.target);
    this.#restoreRequests = await readRestoreRequests(client, this.settings.allow ?? []);
    await this.#runSome(numbers, 1, true);
    await this.#sendUndecidedAgain(true);
  }

  /** Replays sequences with open differences: matches elsewhere may have settled them since. */
  async #sendUndecidedAgain(isAlone: boolean): Promise<void> {
    for (const { run, number } of this.#undecided.filter((each) => each.isAlone === isAlone)) {
      if (this.#stopped !== undefined || this.settings.signal?.aborted) return;
      const again = await this.#play(createStepSource(run.steps));
      if (again.finding) await this.#report(again, number);
    }
  }

  async #runSome(numbers: readonly number[], atOnce: number, isAlone: boolean): Promise<void> {
    const next = numbers.values();
    const until = this.settings.timeMs === undefined ? Infinity : performance.now() + this.settings.timeMs;
    const worker = async () => {
      for (const number of next) {
        if (this.#stopped !== undefined || this.settings.signal?.aborted || performance.now() > until) return;
        await this.#runOne(number, isAlone);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  async #runOne(number: number, isAlone: boolean): Promise<void> {
    const random = createRandom(this.settings.seed).fork(`sequence ${number}`);
    const run = await this.#play(
      drawSteps(this.#drawing, random, drawTopics(random, isAlone, this.#coverage)),
    );
    this.#sequences++;
    const isUndecided = this.#recordRun(run);
    if (run.noResponse)
      this.#stopped = `${run.noResponse.message}, in sequence ${number}: ${describeSequence(run.steps)}`;
    if (isUndecided && !run.finding && this.#undecided.length < MOST_UNDECIDED)
      this.#undecided.push({ run, number, isAlone });
    if (run.finding) await this.#report(run, number);
  }

  async #report(run: SequenceRun, number: number): Promise<void> {
    this.settings.onFinding?.(run.finding!, number);
    if (!this.settings.signal?.aborted) await this.#examine(run, number);
  }

  async #play(next: Parameters<typeof playSequence>[2]): Promise<SequenceRun> {
    const run = await playSequence(this.context, `td-${this.settings.runId}-${++this.#runs}`, next);
    const changed = new Set(run.steps.flatMap(listCommands).map(({ operation }) => operation));
    const client = new HttpClient(this.settings.target);
    for (const { operation, request } of this.#restoreRequests) {
      if (!changed.has(operation)) continue;
      const response = await client.send(operation, request).catch(() => undefined);
      if (!response?.ok) run.left.push(`what ${operation} has changed`);
    }
    return run;
  }

  /** Adds up requests, observations and met requirements of a run; true if it shows a new undecided difference. */
  #recordRun(run: SequenceRun): boolean {
    this.#requests += run.exchanges.length;
    this.#left.push(...run.left);
    this.#recordLimit(run);
    const known = this.#observations.size;
    for (const difference of run.observations) {
      this.#recordObservation(difference);
      if (difference.about === 'status') this.#avoidCondition(difference);
    }
    const isNew = [...run.kept.keys()].filter((requirement) => !this.#keptBefore.has(requirement));
    for (const requirement of isNew) this.#keptBefore.add(requirement);
    if (isNew.length > 0) this.#kept.push(run);
    return this.#observations.size > known;
  }

  /** A limit that leaves room again, such as one of tasks at a time, is none to avoid. */
  #recordLimit({ limited, exchanges }: SequenceRun): void {
    for (const { operation, response } of exchanges)
      if (operation && response && response.status < 300)
        for (const refused of [this.#limited, this.#usedUp]) refused.delete(operation);
    if (limited) (this.#limited.has(limited) ? this.#usedUp : this.#limited).add(limited);
  }

  #recordObservation(difference: ResponseDifference): void {
    const { operation, condition, about, expected } = difference;
    const key = `${operation} ${condition} ${about} ${about === 'status' ? expected : ''}`;
    const before = this.#observations.get(key);
    if (before) before.seen++;
    else this.#observations.set(key, { ...difference, seen: 1 });
  }

  /** After a refused request the next form of it is tried. An operation or condition without a form left is avoided. */
  #avoidCondition({ operation, condition, isRefusal }: ResponseDifference): void {
    const isPlain = condition === 'plain';
    if (isPlain && (!isRefusal || this.context.matchCounts.hasAccepted(operation))) return;
    const form = this.#forms.get(operation) ?? 0;
    const forms = listForms(operation, { unique: () => 'x', now: () => 0 }, {});
    if (isPlain && form + 1 < forms.length) this.#forms.set(operation, form + 1);
    else this.#avoided.add(isPlain ? operation : `${operation} ${condition}`);
  }

  async #examine(run: SequenceRun, number: number): Promise<void> {
    const key = formatKey(run.finding!);
    const known = this.#found.get(key);
    if (known) known.seen++;
    if (known || this.#passing.has(key) || this.#found.size >= MOST_FOUND) return;
    const reproduce = async (sequence: Sequence) => {
      const again = await this.#play(createStepSource(sequence));
      return again.finding && formatKey(again.finding) === key ? again : undefined;
    };
    const short = await minimizeRun(run, reproduce);
    let shown = 0;
    for (let attempt = 0; attempt < RUNS_AGAIN; attempt++) if (await reproduce(short.steps)) shown++;
    const finding = short.finding!;
    const replicas = await findReplicas(this.settings.target);
    if (finding.difference && shown === 0 && replicas === undefined) {
      // The model expected something else once: that is no evidence of a fault.
      this.#passing.add(key);
      this.#recordObservation(finding.difference);
      return;
    }
    this.#found.set(key, {
      key,
      finding,
      sequence: short.steps,
      run: short,
      shown,
      ...(replicas !== undefined && { replicas }),
      seen: 1,
      first: number,
    });
  }
}
