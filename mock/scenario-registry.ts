import { Matcher } from '../scenarios/format/library/match.js';
import type { Scenario } from '../scenarios/format/types.js';
import type { ScenarioSource } from './engine/organisation.js';

/** The scenarios of a mock: given ones, then the library, which is loaded when the first task needs it. */
export class ScenarioRegistry {
  /** The initial queue of organisations that are opened later, by scenario name. */
  queued: string[] = [];
  readonly #given = new ScenarioSet(true);
  readonly #library: ScenarioSet;
  #loaded: Promise<void> | null = null;

  constructor(given: readonly Scenario[], matchLibrary: boolean) {
    this.#given.fill(given);
    this.#library = new ScenarioSet(false, matchLibrary);
  }

  /** In matching order. */
  listSources(): ScenarioSource[] {
    return [this.#given, this.#library];
  }

  /** Those that are not from the library. */
  get given(): Scenario[] {
    return this.#given.list();
  }

  /** Replaces the given scenarios. */
  replace(given: readonly Scenario[]): void {
    this.#given.fill(given);
  }

  /** Adds to the given scenarios; one of the same name is replaced. */
  add(scenarios: readonly Scenario[]): void {
    const names = new Set(scenarios.map((scenario) => scenario.name));
    this.#given.fill([...this.given.filter(({ name }) => !names.has(name)), ...scenarios]);
  }

  list(): { scenario: Scenario; library: boolean }[] {
    return [
      ...this.given.map((scenario) => ({ scenario, library: false })),
      ...this.#library.list().map((scenario) => ({ scenario, library: true })),
    ];
  }

  loadLibrary(): Promise<void> {
    this.#loaded ??= import('../scenarios/format/library/library.js')
      .then(({ loadLibrary }) => loadLibrary())
      .then((scenarios) => this.#library.fill(scenarios));
    return this.#loaded;
  }
}

/** Smallest similarity of a request to a library scenario for a hint: 7 of 10 words are the same, or all tools and 4 of 10 words. */
const MEANT_FROM = 1.7;

class ScenarioSet implements ScenarioSource {
  #scenarios = new Map<string, Scenario>();
  #matcher: Matcher | undefined;

  constructor(
    private readonly explains: boolean,
    private readonly matches = true,
  ) {}

  fill(scenarios: readonly Scenario[]): void {
    this.#scenarios = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
    this.#matcher = undefined;
  }

  list(): Scenario[] {
    return [...this.#scenarios.values()];
  }

  listNames(): string[] {
    return [...this.#scenarios.keys()];
  }

  findByName(name: string): Scenario | undefined {
    return this.#scenarios.get(name);
  }

  choose(request: Readonly<Record<string, unknown>>): Scenario | undefined {
    return this.matches ? this.#ensureMatcher().choose(request) : undefined;
  }

  findNearest(request: Readonly<Record<string, unknown>>): { name: string; why: string } | undefined {
    // Without matching, no scenario was missed.
    if (!this.matches || this.#scenarios.size === 0) return undefined;
    return this.#ensureMatcher().findNearest(request, this.explains ? 0 : MEANT_FROM);
  }

  #ensureMatcher(): Matcher {
    this.#matcher ??= new Matcher(this.list());
    return this.#matcher;
  }
}
