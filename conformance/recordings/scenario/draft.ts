import type { NetworkRule, Step, Trigger } from '../../../scenarios/format/types.js';
import { UniqueNames } from './unique-names.js';

/** A step, when it happened, and what is to be said of it. */
export interface PlacedStep {
  step: Step;
  /** ms, on the clock of the exchanges. */
  at: number;
  /** The number of the exchange that shows it: what comes first of the same time. */
  seq: number;
  /** A choice that the recording leaves open, in one sentence. */
  comment?: string | undefined;
  /** What it waits for, where that is not the time since the step before. */
  after?: Trigger | undefined;
}

/** The steps of a timeline as they are found, in any order. */
export class ScenarioDraft {
  readonly placed: PlacedStep[] = [];
  /** What is to be said of the scenario as a whole. */
  readonly remarks: string[] = [];
  readonly #ids = new UniqueNames();
  readonly #byId = new Map<string, PlacedStep>();
  #lastAt = Number.NEGATIVE_INFINITY;

  add(step: Step, at: number, seq: number, more: Pick<PlacedStep, 'comment' | 'after'> = {}): void {
    const placed = { step, at, seq, ...more };
    this.placed.push(placed);
    if (step.id !== undefined && !this.#byId.has(step.id)) this.#byId.set(step.id, placed);
    if (!step.meanwhile) this.#lastAt = Math.max(this.#lastAt, at);
  }

  /** The first step with this id. */
  findStep(id: string): PlacedStep | undefined {
    return this.#byId.get(id);
  }

  /** A rule is in place before the request that it is about. */
  addRule(rule: NetworkRule, { at, seq }: Pick<PlacedStep, 'at' | 'seq'>, comment?: string): void {
    this.add(rule as Step, at, seq - 0.75, { comment });
  }

  /** Steps that hold up those after them, so far. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** An id for a step that says what it is about. */
  createId(name: string): string {
    const base =
      name
        .replace(/[^A-Za-z0-9_-]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 40) || 'step';
    return this.#ids.reserve(base);
  }
}

/** The least of these numbers, however many there are: arguments of a call are limited. */
export function findMinimum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
}

/** The greatest of these numbers. */
export function findMaximum(numbers: readonly number[]): number {
  return -findMinimum(numbers.map((each) => -each));
}

/** The middle of a span as a round number of ms, and the span in words. */
export function roundMiddle(low: number, high: number): number {
  const middle = low + (high - low) / 2;
  for (const unit of [1000, 500, 100, 50, 10]) {
    const round = Math.round(middle / unit) * unit;
    if (round > low && round < high) return round;
  }
  return Math.round(middle);
}

/** As a person would write a time: to 10 ms above a second, to 100 ms above 10 s. */
export function roundTime(ms: number): number {
  const unit = ms >= 10_000 ? 100 : ms >= 1000 ? 10 : 1;
  return Math.max(0, Math.round(ms / unit) * unit);
}
