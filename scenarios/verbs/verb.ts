import { formatDuration } from '../../spec/duration.js';
import type { RequestKind, TaskEvent } from '../../spec/vocabulary.js';
import type { RuleTarget } from './target.js';

export type NetworkSide = 'request' | 'response';

/** What a `hold` waits for. */
export type HoldCondition =
  | { gate: string }
  | { step: string }
  | { arrive: RuleTarget }
  | { response: RuleTarget };

/**
 * The definition of a network verb. The JSON Schemas, validation, the shorthand, descriptions, the reference page, the
 * mock's network and the explorer read everything about a verb from it.
 *
 * `Rule` is a rule as it is loaded: durations in ms. `Kind` names the deviations that the explorer makes with it.
 */
export interface Verb<Rule extends { network: string } = { network: string }, Kind extends string = string> {
  name: Rule['network'];
  /** One or two sentences, for the schemas and the reference page. */
  description: string;
  /** What it acts on: a request, a response, or a step of the service. The `side` of a rule overrides it. */
  phase: NetworkSide | 'step';
  /** Its own fields in files, each as a JSON Schema. Durations are loaded as `NAME_ms`, or `NAME_s` by their `unit`. */
  fields?: { readonly [K in FieldName<Exclude<keyof Rule, 'network'>>]: FieldSchema };
  required?: readonly FieldName<Exclude<keyof Rule, 'network'>>[];
  /** Examples in the form of files. */
  examples: readonly Readonly<Record<string, unknown>>[];
  /** The field whose value follows the verb in the shorthand. */
  first?: FieldName<Exclude<keyof Rule, 'network'>>;
  /** The requests that it can target. `polls`: requests whose responses list events. Default: any. */
  requests?: 'none' | 'polls' | 'polls and creates';
  /** The kind of service step that it can target; `expected`: for the message if it must target one. */
  step?: { kind: 'service' | 'event' | 'finish'; expected?: string };
  /** A problem of a rule in a file that the schema cannot detect; undefined if there is none. */
  problem?(rule: Readonly<Record<string, unknown>>): string | undefined;
  /** The rule in words: `delay response by 2s`. */
  describe(rule: Rule & { of?: { step?: string } }): string;
  /** It fires depending on the requests in the current window (`hit.window`). */
  countsRequests?: true;
  /** It needs the next such request, which the rule lets pass. */
  needsNext?: true;
  onRequest?(rule: Rule, hit: RuleHit): Effect | undefined;
  /** After the service has handled the request. */
  onResponse?(rule: Rule, hit: RuleHit, response: ResponseFacts): Effect | undefined;
  /** The log entry about a changed step. */
  formatStepNote?(step: string): string;
  /** The event that it sends for a step, once its time has come. */
  selectEvent?(task: TaskFacts, run: TimelineFacts, step: string): TaskEvent | undefined;
  /** What the explorer may try with it. */
  deviations?: Deviations<Rule, Kind>;
}

type FieldName<Key> = Key extends `${infer Name}_ms` ? Name : Key extends `${infer Name}_s` ? Name : Key;

/** A JSON Schema. `unit: 's'`: a duration of whole seconds. */
export type FieldSchema = Readonly<Record<string, unknown>> & {
  $ref?: string;
  unit?: 's';
  type?: string;
  description?: string;
  enum?: readonly (string | null)[];
  minimum?: number;
  maximum?: number;
};

/** The context of a rule that matched a request or its response. */
export interface RuleHit {
  side: NetworkSide;
  /** Time on the mock's clock, ms. */
  now: number;
  task: TaskFacts | undefined;
  /** A whole number between these two, drawn from the seed for this rule and task. */
  draw(least: number, most: number): number;
  /** For `countsRequests`: start of the current window (ms), and the requests in it. */
  window: { from: number; used: number };
}

export interface TaskFacts {
  /** Largest event timestamp that a response has carried, ms. */
  shown: number;
  log: { list(): readonly TaskEvent[]; find(id: string): TaskEvent | undefined };
  calls: ReadonlyMap<string, { reply?: unknown }> | null;
}

/** The fields of a step that verbs read. */
export interface StepFacts {
  id?: string;
  service?: string;
  to?: string;
  at_once?: boolean;
}

/** The timeline of a task. */
export interface TimelineFacts {
  steps: readonly StepFacts[];
  /** Ids of the steps that have happened. */
  happened: ReadonlySet<string>;
  /** Event ids by step id. */
  ids: Readonly<Record<string, string>>;
}

export interface ResponseFacts {
  status: number;
  body: string | Uint8Array;
  /** The response will be incomplete. */
  fault?: Fault;
}

/** `drop`: no response at all. `truncate`: the connection ends after so many bytes of the body. */
export type Fault = { kind: 'drop' } | { kind: 'truncate'; bytes: number };

/** What the network does to a request or response. */
export interface Effect {
  /** For the journal. */
  note: string;
  /** Holds the request or response for this time, or until something happens. */
  wait?: { atMostMs: number; until?: HoldCondition | 'next response'; late?: string };
  /** The service handles the request twice. */
  twice?: true;
  /** An error of the API in place of the response. `retryAfter`: the header Retry-After. */
  error?: { status: number; detail: string; retryAfter?: string | undefined };
  /** Something else in place of the response. */
  page?: { status: number; body: string; contentType: string };
  /** Another body in the response. */
  body?: string;
  fault?: Fault;
  /** The transport compresses the body, where the client accepts that. */
  compress?: true;
  /** The body arrives at this rate; the rest of it after so long. */
  pace?: { bytesPerSecond: number; atMostMs: number };
}

/** What the explorer may try with a verb. */
export interface Deviations<Rule, Kind extends string> {
  /**
   * Priority of each kind in a search, by the targeted request: 0 is first, missing kinds are last. The order follows the number of
   * example clients that each kind broke.
   */
  ranks: Readonly<Record<Kind, number | Partial<Record<RequestKind, number>>>>;
  changes: Readonly<Record<Kind, DeviationChange>>;
  /** Two of these at the same request hide each other. */
  isFault?: true;
  /** The order of requests, responses and steps does not show it. */
  isHidden?: true;
  /** It affects every poll in the same way, and every client sends the first polls. */
  isOfAnyPoll?: true;
  /** Kinds after which a client may give up, or repeats the request: no other deviation is tried with them. */
  alone?: readonly Kind[];
  /** It is tried with requests that have failed too. */
  isOfFailed?: true;
  forRequest?(request: DeviationRequest): Iterable<CandidateDeviation<Rule, Kind>>;
  forStep?(step: DeviationStep): Iterable<CandidateDeviation<Rule, Kind>>;
}

/** What a deviation changes for the client. Kinds of one sort require the same behavior of it. */
export interface DeviationChange {
  sort: ChangeSort;
  /** In a clause in the past tense: `poll 2 got 429`. */
  clause(about: { request: string; step: string }): string;
}

export type ChangeSort =
  | 'limited'
  | 'no response'
  | 'refused'
  | 'listed again'
  | 'same instant'
  | 'order'
  | 'shape'
  | 'time';

/** A deviation: its kind, and the fields of its rule but for `of`. */
export type CandidateDeviation<Rule = object, Kind extends string = string> = readonly [
  kind: Kind,
  fields: Omit<Rule, 'network'>,
];

/** A request of a run that a deviation could be about. */
export interface DeviationRequest {
  kind: RequestKind;
  /** The first request of its kind in a run without deviations. */
  isFirst: boolean;
  /** Durations that stay below the time-outs that clients set themselves. */
  holdMs: number;
  delayMs: number;
  /** Longer than these time-outs. Absent if it would take too long. */
  longDelayMs?: number | undefined;
  /** Events in its response. */
  events: number;
  /** An earlier response has listed events. */
  hasEarlierEvents: boolean;
  /** A poll arrived while another was pending. */
  pollsOverlap: boolean;
  /** What the request can wait for, and its response, without waiting for itself. */
  waits(side: NetworkSide): Iterable<{ step: string }>;
  /** The next request of another sort, where the client may send it meanwhile. */
  next(): { arrive: object } | undefined;
}

/** A step of the service that a deviation could be about. */
export interface DeviationStep extends Pick<DeviationRequest, 'holdMs' | 'delayMs'> {
  step: StepFacts & { service: string };
  /** A step before it has sent an event. */
  hasEarlierEvents: boolean;
  /** The timeline has results of actions. */
  hasResults: boolean;
  /** Later requests that do not depend on it. */
  waits(): Iterable<{ arrive: object }>;
}

/** A duration: `300ms`, `2s`, or a number of ms. */
export function duration(description: string, rest: Readonly<Record<string, unknown>> = {}): FieldSchema {
  return { $ref: '#/$defs/duration', description, ...rest };
}

export function wholeNumber(description: string, minimum: number, rest: object = {}): FieldSchema {
  const expected = `a whole number, ${minimum} or more`;
  return { description, type: 'integer', minimum, ...rest, 'x-expected': expected };
}

export function httpStatus(minimum: number, rest: object = {}): FieldSchema {
  const expected = `an HTTP status from ${minimum} to 599`;
  const description = 'HTTP status.';
  return { description, type: 'integer', minimum, maximum: 599, ...rest, 'x-expected': expected };
}

/** The maximum wait, as a part of a rule's description. */
export function describeAtMost(ms: number | undefined): string {
  return ms === undefined ? '' : `, at most ${formatDuration(ms)},`;
}

export function includeIf<Offered>(isApplicable: boolean, ...offers: Offered[]): Offered[] {
  return isApplicable ? offers : [];
}

export function text(description: string): FieldSchema {
  return { description, type: 'string', 'x-expected': 'a text' };
}

export function side(description: string, standard: NetworkSide): FieldSchema {
  return { $ref: '#/$defs/side', description, default: standard };
}

/** The fields that every rule has. */
export const RULE_FIELDS: Readonly<Record<string, FieldSchema>> = {
  of: { $ref: '#/$defs/target' },
  times: wholeNumber(
    'Fires at most so often. Left out: once in a timeline, without end in a network file.',
    1,
  ),
  skip: wholeNumber('Lets the first n such requests pass.', 0, { default: 0 }),
  probability: {
    description: 'Fires with this probability, drawn from the seed.',
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 1,
    'x-expected': 'a number from 0 to 1',
  },
  expires: duration('Gone so long after it was set. Left out: never.'),
};
