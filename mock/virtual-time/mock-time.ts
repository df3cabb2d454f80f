import type { SchemaObject } from '../../spec/json-schema/schema.js';
import { show } from '../../spec/show.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import type { Organisation } from '../engine/organisation.js';
import { assertOptions, createOptionsSchema } from '../options/check-options.js';
import type { MockTime, TimeOptions, TimeRun } from '../options/mock-options.js';
import { isNode } from '../options/needs-node.js';
import { getService } from '../service.js';

const above0: SchemaObject = {
  anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { const: Infinity }],
  'x-expected': 'a number of ms above 0',
};
// Accepts a signal of another realm (such as a test environment): `instanceof` would refuse it.
const signal: SchemaObject = { type: 'object', 'x-expected': 'an AbortSignal' };
const OPTIONS = createOptionsSchema<TimeOptions>({ deadlineMs: above0, stalledMs: above0, signal });

/** The time of one mock. Virtual time needs Node.js, so its modules are loaded with the first run. */
export class VirtualMockTime implements MockTime {
  /** During a run: passes a response of `mock.fetch` to its caller. */
  handOver: (<A>(response: Promise<A>) => Promise<A>) | undefined;
  /** Requests of each organisation when the last run ended. */
  readonly #afterRun = new WeakMap<Organisation, number>();
  /** Organisations with requests that were made outside of runs. */
  readonly #mixed = new WeakSet<Organisation>();

  constructor(private readonly mock: ControlledMock) {}

  async run<T>(client: (run: TimeRun) => T | Promise<T>, options: TimeOptions = {}): Promise<T> {
    checkOptions(client, options);
    if (!isNode())
      throw new Error(
        "mock.time.run makes the time of Node.js virtual, and this is not Node.js: in a browser use createMock({ clock: 'skipping' }) or fake timers.",
      );
    await this.mock.ready;
    const { handOver, queueRun, runOnMock } = await import('./mock-run.js');
    return queueRun(async () => {
      this.handOver = handOver;
      try {
        return await this.#trackRequests(() => runOnMock(this.mock, client, options));
      } finally {
        this.handOver = undefined;
      }
    });
  }

  async #trackRequests<T>(run: () => Promise<T>): Promise<T> {
    const { stalledClock } = getService(this.mock);
    for (const organisation of this.#listOrganisations())
      if (!this.#isRunOnly(organisation)) this.#mixed.add(organisation);
    stalledClock.isControlled = true;
    try {
      return await run();
    } finally {
      for (const organisation of this.#listOrganisations())
        this.#afterRun.set(organisation, organisation.journal.seq);
      stalledClock.isControlled = false;
    }
  }

  get isClients(): boolean {
    const all = this.#listOrganisations();
    return all.some(({ journal }) => journal.seq > 0) && all.every((each) => this.#isRunOnly(each));
  }

  #isRunOnly(organisation: Organisation): boolean {
    if (this.#mixed.has(organisation)) return false;
    const { isControlled: isDriven } = getService(this.mock).stalledClock;
    return isDriven || organisation.journal.seq === (this.#afterRun.get(organisation) ?? 0);
  }

  #listOrganisations(): Organisation[] {
    return [...getService(this.mock).organisations.values()];
  }
}

function checkOptions(client: unknown, options: TimeOptions): void {
  if (typeof client !== 'function')
    throw new TypeError(
      `mock.time.run expects a function that starts the client, got ${client instanceof Promise ? 'a promise: write mock.time.run(() => client())' : typeof client}.`,
    );
  assertOptions('mock.time.run', options, OPTIONS);
  const { signal: given } = options;
  if (given && !('aborted' in given))
    throw new TypeError(`mock.time.run: signal: expected an AbortSignal; found ${show(given)}.`);
}
