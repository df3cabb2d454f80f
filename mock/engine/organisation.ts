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

/** The limits of a plan; an unknown plan has those of `enterprise` (open point `billing.plan-names`). */
export function planOf(plan: string): (typeof PLANS)[PlanName] {
  return PLANS[isPlan(plan) ? plan : 'enterprise'];
}

/** A set of loaded scenarios. */
export interface ScenarioSource {
  byName(name: string): Scenario | undefined;
  names(): string[];
  /** The first whose `match` fits the request. */
  choose(request: Readonly<Record<string, unknown>>): Scenario | undefined;
  /** The scenario that came nearest, and why it did not match; undefined for the library. */
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
 * What one API key opens: its own state, clock, seed, journal, scenarios and network. Two keys
 * share nothing, not even time.
 */
export class Organisation {
  #records: Records | undefined;
  /** Names of scenarios that the next tasks follow, first come first served. */
  readonly queued: string[] = [];
  /** Its sources of scenarios, in order of precedence. */
  sources: ScenarioSource[] = [];
  /** Tokens of the rate limit. */
  bucket: { tokens: number; filled_at: number } | null = null;
  /** The exchange that is being handled; notes are added to it. */
  current: JournalEntry | null = null;
  /** Requests under way. */
  inFlight = 0;
  /** Of these, polls that wait for news; the network counts those it holds. */
  waiting = 0;
  /** The loading of modules for which its requests wait. */
  loading: Promise<unknown> | null = null;
  /** Number of locks that tests hold; a skipping clock does not move meanwhile. */
  locks = 0;
  /** Number of the mock's latest request to it: the organisation idle for longest is removed first. */
  lastUsed = 0;

  constructor(
    readonly key: string,
    /** Name for logs, journals and reports; reveals nothing of the key. */
    readonly name: string,
    readonly world: World,
    readonly account: Account,
    readonly journal: Journal,
    readonly network: Network,
  ) {}

  /** Created on first use: most keys only open tasks. */
  get records(): Records {
    this.#records ??= createRecords(this.world.setup.limits.records);
    return this.#records;
  }

  /**
   * Explains which scenario came nearest to a request and why it did not match: a given one, else one of the
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
