import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { type GeneratedScenario, generateConversations } from '../client/generate/generate-scenario.js';
import { CHECKS_OF_A_RUN } from '../client/judge/run-checks.js';
import { excludeScenarios, resolveClient, resolveScenarios } from '../client/run/client-options.js';
import { loadPairs } from '../client/run/pairs.js';
import { countOfShard, isOfShard } from '../common/shard.js';
import { formatCount } from '../common/text.js';
import type { CheckClientOptions } from './options.js';

/** The scenarios that a client plays with these options: a function also plays pairs. Throws UnknownName and InvalidFile. */
export async function loadClientScenarios({
  client,
  scenarios,
  exclude = [],
}: CheckClientOptions): Promise<Scenario[]> {
  const pairs = resolveClient(client).kind === 'function' ? await loadPairs() : [];
  const given = scenarios ? await resolveScenarios(scenarios, pairs) : [...(await loadLibrary()), ...pairs];
  return excludeScenarios(given, exclude);
}

/** `plan`: of a generated scenario. */
export type PlannedScenario = { scenario: Scenario } & Partial<GeneratedScenario>;

interface PlanSetup {
  options: Pick<CheckClientOptions, 'search' | 'searchTimeMs' | 'shard' | 'lacks'>;
  seed: number;
  scenarios: readonly Scenario[];
  /** Played in addition if the client is an adapter that can do two jobs in one process. */
  pairs: readonly Scenario[];
  /** Known once the client has run. */
  canDoOtherJob: () => boolean;
  /** The plan has changed by this number of checks. */
  onChange: (checks: number, why: string) => void;
}

/** The scenarios of a check in their order: those given, pairs of them, and conversations generated on demand. */
export class PlannedScenarios {
  /** Start of the search, ms. */
  #searchedFromMs: number | undefined;

  constructor(private readonly setup: PlanSetup) {}

  get isSearchOver(): boolean {
    const { searchTimeMs = Number.POSITIVE_INFINITY } = this.setup.options;
    return this.#searchedFromMs !== undefined && performance.now() - this.#searchedFromMs >= searchTimeMs;
  }

  /** All consumers share one iterator. */
  list(): Iterable<PlannedScenario> {
    const iterator = this.#yieldScenarios();
    // A loop that ends early must not end it for the other consumers.
    return { [Symbol.iterator]: () => ({ next: () => iterator.next() }) };
  }

  *#yieldScenarios(): Generator<PlannedScenario> {
    const { scenarios, seed, options } = this.setup;
    const { search = 0, shard, lacks } = options;
    for (const scenario of scenarios) yield { scenario };
    for (const scenario of this.#listPairs()) yield { scenario };
    const drawn = generateConversations(seed, lacks);
    for (let number = 1; number <= search; number++) {
      const isOwn = isOfShard(number, shard);
      if (isOwn) this.#searchedFromMs ??= performance.now();
      if (isOwn && this.isSearchOver) return this.#endSearch(number, 'the time of the search is over');
      const next = drawn.next();
      if (next.done)
        return this.#endSearch(
          number,
          'no generated conversation is left that does without what the client lacks',
        );
      if (isOwn) yield next.value;
    }
  }

  #listPairs(): readonly Scenario[] {
    const { pairs, canDoOtherJob, onChange } = this.setup;
    if (pairs.length === 0 || !canDoOtherJob()) return [];
    const text = `${formatCount(pairs.length, 'pair')} of scenarios are played in addition, each in one process`;
    onChange(pairs.length * CHECKS_OF_A_RUN, text);
    return pairs;
  }

  /** `number`: the first conversation that is not played. */
  #endSearch(number: number, why: string): void {
    const { options, onChange } = this.setup;
    const most = countOfShard(options.search!, options.shard);
    const played = countOfShard(number - 1, options.shard);
    const text = `${why}: ${played} of ${formatCount(most, 'generated conversation')} were played`;
    onChange((played - most) * CHECKS_OF_A_RUN, text);
  }
}
