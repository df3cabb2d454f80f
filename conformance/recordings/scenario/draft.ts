import type { NetworkRule, Step, Trigger } from '../../../scenarios/format/types.js';
import { UniqueNames } from '../../common/text.js';

/** A step with its time and comment. */
export interface PlacedStep {
  step: Step;
  /** ms, on the clock of the exchanges. */
  at: number;
  /** `seq` of the exchange that shows it: orders steps with the same time. */
  seq: number;
  /** A choice that the recording leaves open, in one sentence. */
  comment?: string | undefined;
  /** Its trigger, if that is not the time since the previous step. */
  after?: Trigger | undefined;
}

/** The steps of a timeline, collected in any order. */
export class ScenarioDraft {
  readonly placed: PlacedStep[] = [];
  /** Comments on the whole scenario. */
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

  findStep(id: string): PlacedStep | undefined {
    return this.#byId.get(id);
  }

  /** Places a rule before the request that it affects. */
  addRule(rule: NetworkRule, { at, seq }: Pick<PlacedStep, 'at' | 'seq'>, comment?: string): void {
    this.add(rule as Step, at, seq - 0.75, { comment });
  }

  /** Time of the latest step so far that delays later steps. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** Creates a step id from a description. */
  createId(name: string): string {
    const base =
      name
        .replace(/[^A-Za-z0-9_-]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 40) || 'step';
    return this.#ids.reserve(base);
  }
}

/** Works for any number of values: the arguments of a call are limited. */
export function findMinimum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
}

export function findMaximum(numbers: readonly number[]): number {
  return -findMinimum(numbers.map((each) => -each));
}

/** The middle of a range, rounded to a multiple of 1000, 500, 100, 50 or 10 ms within it. */
export function roundMiddle(low: number, high: number): number {
  const middle = low + (high - low) / 2;
  for (const unit of [1000, 500, 100, 50, 10]) {
    const round = Math.round(middle / unit) * unit;
    if (round > low && round < high) return round;
  }
  return Math.round(middle);
}

/** Rounds to 10 ms above a second, to 100 ms above 10 s. */
export function roundTime(ms: number): number {
  const unit = ms >= 10_000 ? 100 : ms >= 1000 ? 10 : 1;
  return Math.max(0, Math.round(ms / unit) * unit);
}
