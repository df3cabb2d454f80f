import type { TraceEntry } from '../../../mock/network/tracer.js';
import { hashText } from '../../../spec/hash.js';
import type { Schedule } from '../types.js';

/** A schedule whose run reached new states. */
export interface PromisingSchedule {
  schedule: Schedule;
  trace: readonly TraceEntry[];
  /** Number of new states. */
  states: number;
  /** The request or step with which the first was reached, named as in `Deviation.at`. */
  at: string;
}

/** Most promising schedules with their traces: about 20 MB. */
const MOST_PROMISING = 2000;

/** The promising schedules with the most new states, in the order of discovery for equal numbers. */
export class PromisingSchedules {
  #best: PromisingSchedule[] = [];

  add(schedule: PromisingSchedule): void {
    this.#best.push(schedule);
    if (this.#best.length > 2 * MOST_PROMISING) this.#best = this.list();
  }

  list(): PromisingSchedule[] {
    return this.#best.toSorted((one, other) => other.states - one.states).slice(0, MOST_PROMISING);
  }
}

/**
 * The states of client and service that the runs of a search have reached. A state has the requests that are pending, the steps that have
 * happened, and the responses that the client has got. Empty polls do not change it.
 */
export class StateCoverage {
  readonly #reached = new Set<number>();
  readonly #hashes = new Map<string, number>();

  /** Adds the states of a run; undefined if none of them is new. */
  add(schedule: Schedule, trace: readonly TraceEntry[]): PromisingSchedule | undefined {
    let state = this.#hash(schedule.scenario.name);
    let states = 0;
    let at = '';
    for (const entry of trace) {
      state = (state + this.#hashChange(entry)) | 0;
      if (this.#reached.has(state)) continue;
      this.#reached.add(state);
      if (states++ === 0) at = entry.what === 'step' ? `step ${entry.step}` : entry.name;
    }
    return states > 0 ? { schedule, trace, states, at } : undefined;
  }

  #hashChange(entry: TraceEntry): number {
    if (entry.what === 'step') return this.#hash(`step ${entry.name}`);
    const { kind } = entry;
    const name = kind === 'poll' ? 'poll' : entry.name;
    const pending = this.#hash(`pending ${name}`);
    if (entry.what === 'arrive') return pending;
    const { status, events } = entry;
    if (kind === 'poll' && status === 202 && events.length === 0) return -pending;
    return this.#hash(`${name} ${status} ${events.join()}`) - pending;
  }

  #hash(text: string): number {
    let hash = this.#hashes.get(text);
    if (hash === undefined) {
      hash = hashText(text) | 0;
      this.#hashes.set(text, hash);
    }
    return hash;
  }
}
