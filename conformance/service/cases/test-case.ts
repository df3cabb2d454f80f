import { SUITES } from '../../../scenarios/format/library/folders.js';
import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Answer, Sending } from '../http-client/response.js';
import type { Player } from '../scenarios/player-types.js';

/** Suites are named like the folders of scenarios. */
export { SUITES };
export type Suite = (typeof SUITES)[number];

/** What is not done to an account unless it was allowed by name. */
export const ALLOWANCES = ['billing', 'organisation', 'destructive'] as const;
export type Allowance = (typeof ALLOWANCES)[number];

/** Keys that unlock more probes. `main` is always there. */
export const KEY_NAMES = ['main', 'other', 'free', 'exhausted'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/**
 * A conversation that is carried on with a service to see whether it keeps some requirements. What comes of it is one
 * check for each requirement it covers, `suite/name#POLL-02`: failed by the first breach (seen by a rule on the exchanges, or
 * by the probe itself), passed only on a witness, inconclusive without one.
 */
export interface Probe {
  /** `polling/one-shot`: the suite and a name, stable for good. */
  readonly id: `${Suite}/${string}`;
  /** What it looks at, in one sentence. */
  readonly title: string;
  readonly covers: readonly RequirementId[];
  /** Operations it calls, for `--plan` and for targets that have not got them. */
  readonly operations: readonly OperationId[];
  /** Tasks and sessions that it creates at most. 0 when left out. */
  readonly tasks?: number;
  readonly allow?: Allowance;
  /** Runs after the others, while nothing else does: what it does would disturb them, or they would disturb it. */
  readonly alone?: true;
  /** Keys beside `main` that it cannot do without. */
  readonly keys?: readonly Exclude<KeyName, 'main'>[];
  run(probing: Probing): Promise<void>;
}

/** What a probe has in hand. */
export interface Probing {
  /** Sends one request and gives back what was answered; 429 is waited out unless `take429`. Throws Unanswered. */
  send(operation: OperationId, sending?: Sending): Promise<Answer>;
  /** A request to any method and path below `/api/v1` (no operation is looked up); otherwise like `send`. */
  raw(method: string, path: string, sending?: Sending): Promise<Answer>;
  /** The same with tasks: creates, polls with back-off, replies, acts. What it makes is removed at the end. */
  readonly player: Player;
  /** A witness: `holds` shows the requirement kept, or broken with `message` (expected what, got what). Gives `holds`. */
  expect(requirement: RequirementId, holds: boolean, message: string, ...shown: Answer[]): boolean;
  /** The same for a breach that nothing has to be weighed for. */
  broke(requirement: RequirementId, message: string, ...shown: Answer[]): void;
  /** Ends the probe where the target never gave the occasion: what is undecided is inconclusive. */
  inconclusive(why: string): never;
  /** Ends the probe where the target says that it has not got this: what is undecided is skipped. */
  skip(why: string): never;
  /** The target was seen to choose this where the description leaves it open. */
  observed(point: string, choice: string | number, ...shown: Answer[]): void;
  /** To be undone at the end of the run, last first, also when it is interrupted. */
  cleanup(what: string, undo: () => Promise<unknown>): void;
  /** A text that no other run has used, for names and ids: `td-1a2b3c-1`. */
  unique(): string;
  has(key: KeyName): boolean;
  allowed(what: Allowance): boolean;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Task texts, tools and times, ours or those of the configuration. */
  readonly settings: Settings;
}

export interface Settings {
  /** Longest time that a check waits on purpose, ms: unlimited on a virtual clock. Default `timeout_ms`. */
  longest_wait_ms?: number;
  /** Until a task or a result has to be there, ms. Default 60,000. */
  timeout_ms: number;
  /** Between two polls at first, ms; grows to four times as much. Default 250. */
  poll_interval_ms: number;
  /** Texts for tasks by what they have to bring about; see `texts.ts`. */
  texts: Readonly<Record<string, string>>;
  /** Tools to register in place of ours, by name. */
  tools: readonly Record<string, unknown>[] | undefined;
}
