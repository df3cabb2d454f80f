import type { ExploreReport } from '../types.js';

type Broken = ExploreReport['broken'][number];

interface Counts {
  /** Schedules that runs gave the occasion for. */
  offered: number;
  run: number;
  /** Runs whose successors have been offered (or that have none). */
  expanded: number;
}

/** How much of the space of each scenario has been run, by the number of deviations. */
export class Coverage {
  readonly #counts = new Map<string, Counts[]>();
  readonly #broken = new Map<string, Broken>();

  offered(scenario: string, deviations: number): void {
    this.#of(scenario, deviations).offered++;
  }

  ran(scenario: string, deviations: number): void {
    this.#of(scenario, deviations).run++;
  }

  /** A run broke rules, whether or not they were met before: the scenario has not passed. */
  broke(scenario: string, keys: readonly string[]): void {
    const so_far = this.#broken.get(scenario) ?? { scenario, runs: 0, keys: [] };
    this.#broken.set(scenario, {
      scenario,
      runs: so_far.runs + 1,
      keys: [...new Set([...so_far.keys, ...keys])],
    });
  }

  broken(): Broken[] {
    return [...this.#broken.values()];
  }

  expanded(scenario: string, deviations: number): void {
    this.#of(scenario, deviations).expanded++;
  }

  /**
   * Up to `most` deviations. Where the successors of some are not known yet, `of` is reckoned from the others; `share`:
   * the part of the schedules with deviations that is ours.
   */
  list(most: number, share: number): ExploreReport['coverage'] {
    return [...this.#counts].flatMap(([scenario, levels]) => {
      let parents = 1;
      return Array.from({ length: most + 1 }, (_, deviations) => {
        const { offered, run } = levels[deviations] ?? { offered: 0, run: 0 };
        const before = levels[deviations - 1];
        const known = before ? before.expanded : 1;
        const of =
          deviations === 0 ? 1 : known === 0 ? 0 : Math.round((offered / known) * Math.max(parents, known));
        // All shards expand all parents.
        parents = deviations === 0 ? 1 : of / share;
        return { scenario, deviations, run, of: Math.max(of, run) };
      });
    });
  }

  #of(scenario: string, deviations: number): Counts {
    const levels = this.#counts.get(scenario) ?? [];
    this.#counts.set(scenario, levels);
    levels[deviations] ??= { offered: 0, run: 0, expanded: 0 };
    return levels[deviations];
  }
}
