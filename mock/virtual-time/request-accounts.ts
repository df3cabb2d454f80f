import type { RemoteProcess } from './remote-process.js';
import type { ServiceTime } from './service-time.js';

/** Requests that cannot be accounted for (given up halfway, or with an answer that nobody reads) are waited for this long, ms. */
const SETTLE_MS = 500;

/** Holds what the processes say of their requests against what the service has seen of them: is anything on its way? */
export class RequestAccounts {
  /** Of processes that are gone, and of those before the run: their requests have arrived all the same. */
  #gone: { started: number; unsent: number };
  /** Requests that nobody can account for, once that has been waited for. */
  #strays = { missing: 0, open: 0 };

  constructor(private readonly service: ServiceTime) {
    this.#gone = { started: service.arrived(), unsent: 0 };
  }

  leave({ standing }: RemoteProcess): void {
    this.#gone.started += standing?.started ?? 0;
    this.#gone.unsent += standing?.unsent ?? 0;
  }

  /** What must not change while the processes are asked. */
  marks(): string {
    return `${this.service.arrived()} ${this.service.answered()}`;
  }

  /** True while the service itself is at work on a request: reading or loading something. */
  serviceWorks(): boolean {
    const { service } = this;
    return service.arrived() - service.answered() > service.waiting();
  }

  /**
   * True when every request that was sent has arrived and every answer that left is there. After `waited_ms` long enough what
   * is missing will not come: a request that was given up at the last moment, an answer that nobody reads.
   */
  balance(processes: readonly RemoteProcess[], waited_ms: number): boolean {
    const { service } = this;
    const { started, unsent, open } = this.#sums(processes);
    const missing = started - unsent - service.arrived();
    const left = open - (service.arrived() - service.answered());
    if (missing <= 0 && left === 0) {
      this.#strays = { missing: 0, open: 0 };
      return true;
    }
    if (missing <= this.#strays.missing && left === this.#strays.open) return true;
    if (waited_ms < SETTLE_MS) return false;
    this.#strays = { missing: Math.max(0, missing), open: left };
    return true;
  }

  #sums(processes: readonly RemoteProcess[]): { started: number; unsent: number; open: number } {
    const sums = { ...this.#gone, open: 0 };
    for (const { standing } of processes) {
      if (!standing) continue;
      sums.started += standing.started;
      sums.unsent += standing.unsent;
      sums.open += standing.open;
    }
    return sums;
  }
}
