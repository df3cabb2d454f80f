import { workUnderWay } from '../background-work.js';
import type { ServiceTime } from '../service-time.js';
import { isFetchingModules } from './imports.js';
import { countTurns, rest } from './turns.js';

/** Turns of the loop without anything new while immediates are set again and again. */
const QUIET_IMMEDIATES = 200;
/** Longest that one run may be at work without time: files, compression, modules that it imports; ms of real time. */
const LONGEST_WORK_MS = 10_000;

/** What the machine is at work on, for a client or the service, while time stands still; with a bound for the whole run. */
export class WorkOfRun {
  readonly #before = workUnderWay();
  #worked_ms = 0;

  constructor(private readonly service: ServiceTime) {}

  get isExhausted(): boolean {
    return this.#worked_ms >= LONGEST_WORK_MS;
  }

  /** True where it goes on: after `quiet` turns of the loop without anything new, and a moment later where it takes longer. */
  async goesOn(quiet: number): Promise<boolean> {
    const { tasks, helpers, immediates } = workUnderWay();
    if (immediates - countTurns() > this.#before.immediates && quiet < QUIET_IMMEDIATES) return true;
    const { service } = this;
    const serviceWorks = service.arrived() - service.answered() > service.waiting();
    const isBusy = serviceWorks || tasks > 0 || helpers > this.#before.helpers || isFetchingModules();
    if (!isBusy || this.isExhausted) return false;
    await this.rest();
    return true;
  }

  async rest(): Promise<void> {
    this.#worked_ms += await rest();
  }
}
