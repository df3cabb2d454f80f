import { SUITES } from '../../../scenarios/format/library/folders.js';
import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { TestContext } from './test-context.js';

export { SUITES };
export type Suite = (typeof SUITES)[number];

/** Actions on an account that need the user's permission. */
export const ALLOWANCES = ['billing', 'organisation', 'destructive'] as const;
export type Allowance = (typeof ALLOWANCES)[number];

/** Keys that enable more cases. `main` is always present. */
export const KEY_NAMES = ['main', 'other', 'free', 'exhausted'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/**
 * A conversation with a service that checks requirements. It results in one check per covered requirement, `suite/name#POLL-02`:
 * failed by the first finding (of a rule on the exchanges, or of the case itself), passed only with evidence, inconclusive
 * without it.
 */
export interface TestCase {
  /** `polling/one-shot`: the suite and a permanent name. */
  readonly id: `${Suite}/${string}`;
  /** What it checks, in one sentence. */
  readonly title: string;
  /** Empty for a case that only observes the dialect. */
  readonly covers: readonly RequirementId[];
  /** Operations it calls, for `--plan` and for targets that lack some. */
  readonly operations: readonly OperationId[];
  /** Other features it needs, by names that `lacks` accepts. */
  readonly parts?: readonly string[];
  /** Maximum number of tasks and sessions it creates. Default 0. */
  readonly tasks?: number;
  readonly allow?: Allowance;
  /** Runs after the other cases and on its own, since they would disturb each other. */
  readonly alone?: true;
  /** Keys it needs besides `main`. */
  readonly keys?: readonly Exclude<KeyName, 'main'>[];
  run(t: TestContext): Promise<void>;
}

/** The option that a case needs and does not have; undefined if it can run. */
export function findMissingOption(
  { allow, keys = [] }: Pick<TestCase, 'allow' | 'keys'>,
  given: { allow?: readonly Allowance[]; keys?: Partial<Record<KeyName, string | undefined>> },
): string | undefined {
  if (allow !== undefined && !given.allow?.includes(allow)) return `--allow ${allow}`;
  const absent = keys.find((name) => given.keys?.[name] === undefined);
  return absent && `--key ${absent}=KEY`;
}

/** Task texts, tools and times: defaults or configured values. */
export interface Settings {
  /** Longest deliberate wait of a check, ms: unlimited on a virtual clock. Default `timeoutMs`. */
  longestWaitMs?: number;
  /** Time limit for a task or result, ms. Default 60,000. */
  timeoutMs: number;
  /** First pause between two polls, ms; grows to four times as much. Default 250. */
  pollIntervalMs: number;
  /** Task texts by purpose; see `texts.ts`. */
  texts: Readonly<Record<string, string>>;
  /** Tools that replace the built-in ones, by name. */
  tools: readonly Record<string, unknown>[] | undefined;
}
