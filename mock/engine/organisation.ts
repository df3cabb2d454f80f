import type { Scenario } from '../../scenarios/format/types.js';
import * as s from '../../spec/json-schema/build-schema.js';
import type { Journal } from '../journal/journal.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import type { Network } from '../network/network.js';
import { createRecords, type Records } from './resources/records.js';
import type { World } from './world.js';

/** Plans: how many tasks each may have open at once, and how many browser sessions come with it. */
export const PLANS = {
  free: { concurrent: 2, premium: false, browser_sessions: 0 },
  starter: { concurrent: 5, premium: true, browser_sessions: 100 },
  growth: { concurrent: 50, premium: true, browser_sessions: 100 },
  enterprise: { concurrent: Number.POSITIVE_INFINITY, premium: true, browser_sessions: 100 },
} as const;
export type PlanName = keyof typeof PLANS;

export function isPlan(plan: string): plan is PlanName {
  return Object.hasOwn(PLANS, plan);
}

/** What comes with a plan; one that is none of these has what `enterprise` has (open point `billing.plan-names`). */
export function planOf(plan: string): (typeof PLANS)[PlanName] {
  return PLANS[isPlan(plan) ? plan : 'enterprise'];
}

/** A set of loaded scenarios. */
export interface ScenarioSource {
  byName(name: string): Scenario | undefined;
  names(): string[];
  /** The first whose `match` fits the request. */
  choose(request: Readonly<Record<string, unknown>>): Scenario | undefined;
  /** Which came nearest and what kept it from matching; undefined for a set that nobody asked for. */
  nearest(request: Readonly<Record<string, unknown>>): { name: string; why: string } | undefined;
}

/** Money and plan of an organisation. Credits are integers (one is one US cent). */
export type Account = s.ValueOf<typeof accountSchema>;
export const accountSchema = s.fields({
  id: s.text,
  name: s.text,
  /** One of `PLANS` unless the dialect takes any text. */
  plan: s.text,
  group: s.text,
  credits: s.number(),
  browser_sessions: s.number(),
  auto_top_up: s.fields({ active: s.bool, amount: s.number(), threshold: s.number() }),
  created_at: s.instant,
});

/**
 * What one API key opens: a world of its own with its state, clock, seed, journal, scenarios and network. Two keys
 * never meet, not even in time.
 */
export class Organisation {
  #records: Records | undefined;
  /** Names of scenarios that the next tasks follow, first come first served. */
  readonly queued: string[] = [];
  /** Where its scenarios come from, asked in this order. */
  sources: ScenarioSource[] = [];
  /** Tokens of the rate limit. */
  bucket: { tokens: number; filled_at: number } | null = null;
  /** The exchange that is being handled: notes made meanwhile belong to it. */
  current: JournalEntry | null = null;
  /** Requests under way. */
  inFlight = 0;
  /** Of these, polls that wait for news; the network counts those it holds. */
  waiting = 0;
  /** What its requests wait for while the mock loads what they need. */
  loading: Promise<unknown> | null = null;
  /** Held by tests that are busy: a skipping clock stands still meanwhile. */
  locks = 0;
  /** When it was last asked for anything, as a count of the mock's requests: the longest idle one goes first. */
  lastUsed = 0;

  constructor(
    readonly key: string,
    /** Name for logs, journals and reports: gives nothing of the key away. */
    readonly name: string,
    readonly world: World,
    readonly account: Account,
    readonly journal: Journal,
    readonly network: Network,
  ) {}

  /** Made once something asks for them: most keys open nothing but tasks. */
  get records(): Records {
    this.#records ??= createRecords(this.world.setup.limits.records);
    return this.#records;
  }

  /**
   * Which scenario came nearest to a request and what kept it from matching: of those that were given, else of the
   * library.
   */
  readonly explainMiss = (request: Readonly<Record<string, unknown>>): string | undefined => {
    for (const source of this.sources) {
      const miss = source.nearest(request);
      if (miss) return `no scenario matched; ${miss.name} came nearest: ${miss.why}`;
    }
    return undefined;
  };

  /**
   * Takes credits for a task. The automatic top-up fills the balance when it falls below its threshold.
   * A task that is under way is never stopped for want of credits: the balance stops at 0.
   */
  spend(credits: number): void {
    const { account } = this;
    account.credits = Math.max(0, account.credits - credits);
    const { active, amount, threshold } = account.auto_top_up;
    if (active && amount > 0 && account.credits < threshold) account.credits += amount;
  }
}
