import { quote } from '../../spec/show.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { type ClockSettings, OrganisationClock } from '../engine/clock.js';
import {
  type Account,
  Organisation,
  type OrganisationLimits,
  type OrganisationSetup,
  PLANS,
  type PlanName,
  type TaskNetwork,
} from '../engine/organisation.js';
import type { Task } from '../engine/tasks/task.js';
import { MockError } from '../exchange/errors.js';
import { Journal, type JournalLimits, JournalTotal } from '../exchange/journal.js';
import type { MaybePromise, WireResponse } from '../exchange/wire.js';
import { createRandom } from '../generate/random.js';
import type { RequestContext } from './context.js';

/** Bounds of a mock; beyond them, the oldest entries are removed. */
export interface MockLimits extends OrganisationLimits, JournalLimits {
  /** Organisations (keys) kept; the one unused for longest is removed. */
  organisations: number;
}

export interface RequestNetwork extends TaskNetwork {
  /** True while requests can bypass the network. */
  readonly isIdle: boolean;
  /** Number of pending requests and responses. */
  readonly waiting: number;
  readonly counts: { countCreate(): void };
  /** Delivers a request to the service (`respond`: called never, once or twice) and returns its response. */
  deliver(
    context: RequestContext,
    respond: () => MaybePromise<WireResponse>,
    isHandled?: boolean,
  ): MaybePromise<WireResponse>;
}

export type ServedOrganisation = Organisation<RequestNetwork>;

interface OrganisationsSetup<N extends RequestNetwork>
  extends Omit<OrganisationSetup<N>, 'createJournal' | 'countOrganisations'> {
  seed: string | number;
  wall: () => number;
  clock: ClockSettings;
  /** Start of manual and skipping clocks, ms. */
  startMs?: number | undefined;
  limits: MockLimits;
  onClosed(organisation: Organisation<N>): void;
  onExchange: ((organisation: Organisation, exchange: Exchange) => void) | undefined;
  /** Shared sequence numbers for the exchanges of all organisations. Without it, each organisation counts its own. */
  latest?: { seq: number };
  initialize(organisation: Organisation<N>): void;
}

export const KEY_MEANINGS = {
  'invalid-': 'refused',
  'exhausted-': 'has no credits',
  'free-': 'is on the free plan',
  'limited-': 'hits the rate limit',
} as const;

export function isRefused(key: string): boolean {
  return key.startsWith('invalid-');
}

/** Credits of a new organisation: enough for a long day of testing. */
const WELCOME_CREDITS = 100_000;

/** All organisations of one mock, by key. Any non-empty key creates its own. */
export class Organisations<N extends RequestNetwork = RequestNetwork> {
  #byKey = new Map<string, Organisation<N>>();
  readonly #keyNames = new Map<string, string>();
  #uses = 0;
  #opened = 0;
  clock: ClockSettings;
  /** Called with every organisation created from now on, after its initialization. */
  readonly onOpened: ((organisation: Organisation<N>) => void)[] = [];

  readonly #journals: JournalTotal;

  constructor(private readonly setup: OrganisationsSetup<N>) {
    this.clock = setup.clock;
    this.#journals = new JournalTotal(setup.limits, () => {
      for (const { journal } of this.#byKey.values()) journal.dropOldest();
    });
  }

  /**
   * The organisation of a key, created at its first use. Beyond the limit, the one unused for longest is removed. `name`: decides its
   * ids.
   */
  open(key: string, name = key): Organisation<N> {
    let organisation = this.#byKey.get(key);
    if (!organisation) {
      organisation = this.#create(key, name);
      organisation.keyName = this.#keyNames.get(key);
      this.#byKey.set(key, organisation);
      this.setup.initialize(organisation);
      for (const listener of this.onOpened) listener(organisation);
    }
    organisation.lastUsed = ++this.#uses;
    if (this.#byKey.size > this.setup.limits.organisations) this.#dropIdle();
    return organisation;
  }

  get initialClock(): ClockSettings {
    return this.setup.clock;
  }

  /** The name also applies to an organisation that the key creates later. */
  nameKey(key: string, name: string): void {
    this.#keyNames.delete(key);
    this.#keyNames.set(key, name);
    if (this.#keyNames.size > this.setup.limits.organisations)
      this.#keyNames.delete(this.#keyNames.keys().next().value!);
    const organisation = this.#byKey.get(key);
    if (organisation) organisation.keyName = name;
  }

  get(key: string): Organisation<N> | undefined {
    return this.#byKey.get(key);
  }

  values(): IterableIterator<Organisation<N>> {
    return this.#byKey.values();
  }

  /**
   * The organisation of a key, created if necessary, or all organisations without a key; advanced to the
   * current time. Throws MockError for an empty key.
   */
  select(key: string | undefined): Organisation<N>[] {
    if (key === '') {
      const message = 'The key is empty: give the API key of an organisation, or none at all.';
      throw new MockError('invalid', message);
    }
    if (key !== undefined) this.open(key);
    return this.selectOpen(key);
  }

  selectOpen(key: string | undefined): Organisation<N>[] {
    const selected =
      key === undefined ? [...this.values()] : [this.get(key)].filter((each) => each !== undefined);
    for (const organisation of selected) organisation.catchUp();
    return selected;
  }

  /** Throws MockError if no organisation has the task, or the organisation of `key` does not have it. */
  requireTask(id: string, key?: string): Task {
    for (const organisation of this.selectOpen(key)) {
      const task = organisation.tasks.get(id);
      if (task) return task;
    }
    const where = key === undefined ? 'any organisation' : 'the organisation of this key';
    throw new MockError('missing', `There is no task ${quote(id)} in ${where}.`);
  }

  find(holds: (organisation: Organisation<N>) => boolean): Organisation<N> | undefined {
    for (const organisation of this.#byKey.values()) if (holds(organisation)) return organisation;
    return undefined;
  }

  /**
   * Removes the organisation of a key, or all: the next request creates it again. Pending requests get their
   * responses at once.
   */
  reset(key?: string): void {
    const going = key === undefined ? [...this.#byKey.values()] : [this.#byKey.get(key)];
    // Not `clear`: V8's emptied table keeps its entries and points to the next table. Once one of them is
    // old, every later organisation survives until the next full collection.
    if (key === undefined) {
      this.#byKey = new Map();
      this.#keyNames.clear();
    } else this.#byKey.delete(key);
    for (const organisation of going) {
      if (!organisation) continue;
      organisation.network.reset();
      organisation.close();
      organisation.journal.clear();
      this.setup.onClosed(organisation);
    }
  }

  #create(key: string, name: string): Organisation<N> {
    const { setup } = this;
    const { limits, onExchange } = setup;
    // The key is part of the seed: parallel tests never share ids, and their order does not matter.
    const random = createRandom(`${setup.seed}/${name}`);
    const clock = new OrganisationClock(setup.wall, { ...this.clock, startMs: setup.startMs });
    const account = buildAccount(key, random.uuid(), clock.now());
    return new Organisation(key, `org-${++this.#opened}`, account, clock, random, {
      ...setup,
      countOrganisations: () => this.#byKey.size,
      createJournal: (organisation) =>
        new Journal(
          organisation.name,
          limits,
          onExchange && ((each) => onExchange(organisation, each)),
          setup.latest,
          this.#journals,
        ),
    });
  }

  #dropIdle(): void {
    let idle: Organisation<N> | undefined;
    for (const organisation of this.#byKey.values()) {
      if (!idle || organisation.lastUsed < idle.lastUsed) idle = organisation;
    }
    if (idle) this.reset(idle.key);
  }
}

function buildAccount(key: string, id: string, created_at: number): Account {
  const plan: PlanName = key.startsWith('free-') ? 'free' : 'growth';
  return {
    id,
    name: 'Test organisation',
    plan,
    group: 'zero',
    credits: key.startsWith('exhausted-') ? 0 : WELCOME_CREDITS,
    browser_sessions: PLANS[plan].browser_sessions,
    auto_top_up: { active: false, amount: 0, threshold: 0 },
    created_at,
  };
}
