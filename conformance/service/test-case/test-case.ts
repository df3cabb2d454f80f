import { SUITES } from '../../../scenarios/format/library/folders.js';
import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { TestContext } from './test-context.js';

/** Suites are named like the folders of scenarios. */
export { SUITES };
export type Suite = (typeof SUITES)[number];

/** What is not done to an account unless it was allowed by name. */
export const ALLOWANCES = ['billing', 'organisation', 'destructive'] as const;
export type Allowance = (typeof ALLOWANCES)[number];

/** Keys that unlock more cases. `main` is always there. */
export const KEY_NAMES = ['main', 'other', 'free', 'exhausted'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/**
 * A conversation that is carried on with a service to see whether it keeps some requirements. What comes of it is one
 * check for each requirement it covers, `suite/name#POLL-02`: failed by the first breach (seen by a rule on the exchanges, or
 * by the case itself), passed only on evidence, inconclusive without it.
 */
export interface TestCase {
  /** `polling/one-shot`: the suite and a name, stable for good. */
  readonly id: `${Suite}/${string}`;
  /** What it looks at, in one sentence. */
  readonly title: string;
  /** None where it judges nothing and observes the dialect. */
  readonly covers: readonly RequirementId[];
  /** Operations it calls, for `--plan` and for targets that have not got them. */
  readonly operations: readonly OperationId[];
  /** What else the target has to have for it, by names that `lacks` takes. */
  readonly parts?: readonly string[];
  /** Tasks and sessions that it creates at most. 0 when left out. */
  readonly tasks?: number;
  readonly allow?: Allowance;
  /** Runs after the others, while nothing else does: what it does would disturb them, or they would disturb it. */
  readonly alone?: true;
  /** Keys beside `main` that it cannot do without. */
  readonly keys?: readonly Exclude<KeyName, 'main'>[];
  run(t: TestContext): Promise<void>;
}

/** The option without which a case is not tried; undefined where it is. */
export function findMissingOption(
  { allow, keys = [] }: Pick<TestCase, 'allow' | 'keys'>,
  given: { allow?: readonly Allowance[]; keys?: Partial<Record<KeyName, string | undefined>> },
): string | undefined {
  if (allow !== undefined && !given.allow?.includes(allow)) return `--allow ${allow}`;
  const absent = keys.find((name) => given.keys?.[name] === undefined);
  return absent && `--key ${absent}=KEY`;
}

/** Task texts, tools and times: the defaults or those of the configuration. */
export interface Settings {
  /** Longest time that a check waits on purpose, ms: unlimited on a virtual clock. Default `timeoutMs`. */
  longestWaitMs?: number;
  /** Until a task or a result has to be there, ms. Default 60,000. */
  timeoutMs: number;
  /** Between two polls at first, ms; grows to four times as much. Default 250. */
  pollIntervalMs: number;
  /** Texts for tasks by what they have to bring about; see `texts.ts`. */
  texts: Readonly<Record<string, string>>;
  /** Tools to register in place of ours, by name. */
  tools: readonly Record<string, unknown>[] | undefined;
}
