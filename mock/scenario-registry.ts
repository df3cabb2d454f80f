import type { Matcher } from '../scenarios/format/library/match.js';
import type { Scenario } from '../scenarios/format/types.js';
import type { QueuedScenario, ScenarioSource } from './engine/organisation.js';

/** What the registry knows of an organisation. */
interface ScenarioOwner {
  sources: ScenarioSource[];
}

/**
 * The scenarios of a mock: those of one organisation alone, then those of all organisations (given at the start, or added), then the
 * library, which is loaded when the first task needs it.
 */
export class ScenarioRegistry {
  /** The initial queue of organisations that are opened later. */
  queued: QueuedScenario[] = [];
  #atStart: readonly Scenario[];
  readonly #shared = new ScenarioSet(true);
  readonly #library: ScenarioSet;
  readonly #own = new WeakMap<ScenarioOwner, ScenarioSet>();
  #loaded: Promise<void> | null = null;

  constructor(atStart: readonly Scenario[], matchLibrary: boolean) {
    this.#atStart = atStart;
    this.#shared.fill(atStart);
    this.#library = new ScenarioSet(false, matchLibrary);
  }

  /** In matching order. */
  listSources(): ScenarioSource[] {
    return [this.#shared, this.#library];
  }

  /** Those of all organisations that are not from the library. */
  get shared(): Scenario[] {
    return this.#shared.list();
  }

  get library(): Scenario[] {
    return this.#library.list();
  }

  listOwn(organisation: ScenarioOwner): Scenario[] {
    return this.#own.get(organisation)?.list() ?? [];
  }

  /** True for a shared scenario that the mock did not start with. */
  isAdded(scenario: Scenario): boolean {
    return !this.#atStart.includes(scenario);
  }

  /** Replaces the shared scenarios; a reset restores these. */
  replace(atStart: readonly Scenario[]): void {
    this.#atStart = atStart;
    this.#shared.fill(atStart);
  }

  /** Adds scenarios that a reset keeps. */
  addAtStart(scenarios: readonly Scenario[]): void {
    this.#atStart = merge(this.#atStart, scenarios);
    this.#shared.fill(merge(this.shared, scenarios));
  }

  /** Replaces the scenarios of files; those without a file stay. */
  reloadFiles(loaded: readonly Scenario[]): void {
    this.#atStart = merge(this.#atStart.filter(isWithoutFile), loaded);
    this.#shared.fill(merge(this.shared.filter(isWithoutFile), loaded));
  }

  /** Adds scenarios until the next reset, for one organisation or all; one of the same name is replaced. */
  add(scenarios: readonly Scenario[], organisation?: ScenarioOwner): void {
    if (organisation) this.setOwn(organisation, merge(this.listOwn(organisation), scenarios));
    else this.#shared.fill(merge(this.shared, scenarios));
  }

  /** Removes an added scenario, or all of them, of one organisation or of those for all; returns the names of the removed ones. */
  remove(name: string | undefined, organisation?: ScenarioOwner): string[] {
    const added = organisation
      ? this.listOwn(organisation)
      : this.shared.filter((scenario) => this.isAdded(scenario));
    const removed = added.filter((scenario) => name === undefined || scenario.name === name);
    if (removed.length === 0) return [];
    const names = removed.map((scenario) => scenario.name);
    if (organisation) this.setOwn(organisation, without(added, names));
    else {
      const before = this.#atStart.filter((scenario) => names.includes(scenario.name));
      this.#shared.fill([...without(this.shared, names), ...before]);
    }
    return names;
  }

  setOwn(organisation: ScenarioOwner, scenarios: readonly Scenario[]): void {
    let own = this.#own.get(organisation);
    if (!own) {
      if (scenarios.length === 0) return;
      own = new ScenarioSet(true);
      this.#own.set(organisation, own);
      organisation.sources = [own, ...organisation.sources];
    }
    own.fill(scenarios);
  }

  /** The scenarios without a file become these. Those that the mock started with are recognized. */
  restoreWithoutFile(scenarios: readonly Scenario[]): void {
    const atStart = new Map(this.#atStart.map((scenario) => [JSON.stringify(scenario), scenario]));
    const known = scenarios.map((scenario) => atStart.get(JSON.stringify(scenario)) ?? scenario);
    const ofFiles = this.shared.filter((scenario) => !isWithoutFile(scenario));
    this.#shared.fill(merge(ofFiles, known));
  }

  /** The shared scenarios as at the start, and no queue for organisations that are opened later. */
  reset(): void {
    this.queued = [];
    const { shared } = this;
    const isAsAtStart =
      shared.length === this.#atStart.length &&
      shared.every((scenario, at) => scenario === this.#atStart[at]);
    // Filling it again would build its matcher again.
    if (!isAsAtStart) this.#shared.fill(this.#atStart);
  }

  loadLibrary(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async #load(): Promise<void> {
    const [{ loadLibrary }, match] = await Promise.all([
      import('../scenarios/format/library/library.js'),
      import('../scenarios/format/library/match.js'),
    ]);
    matching = match;
    this.#library.fill(await loadLibrary());
  }
}

export function isWithoutFile({ file }: Scenario): boolean {
  return file === undefined;
}

function without(scenarios: readonly Scenario[], names: readonly string[]): Scenario[] {
  return scenarios.filter(({ name }) => !names.includes(name));
}

function merge(scenarios: readonly Scenario[], more: readonly Scenario[]): Scenario[] {
  const names = more.map(({ name }) => name);
  return [...without(scenarios, names), ...more];
}

/** Smallest similarity of a request to a library scenario for a hint: 7 of 10 words are the same, or all tools and 4 of 10 words. */
const MEANT_FROM = 1.7;

/** Loaded with the library: no task is matched before, and its patterns need a large library. */
let matching: typeof import('../scenarios/format/library/match.js') | undefined;

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
    if (!matching) throw new Error('Scenarios are not loaded yet: await warmUp() first.');
    this.#matcher ??= new matching.Matcher(this.list());
    return this.#matcher;
  }
}
