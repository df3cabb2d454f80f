import type { RequestKind, TaskEvent } from '../../spec/vocabulary.js';
import { formatDuration } from '../format/duration.js';
import type { HoldCondition, NetworkSide, ServiceStep, Step } from '../format/types.js';

/**
 * What a network verb is. A file of this folder holds everything about one verb; the JSON Schemas, validation, the
 * shorthand, descriptions, the reference page, the mock's network and the explorer read it from there.
 *
 * `Rule` is a rule as it is loaded: durations in ms. `Kind` names the deviations that the explorer makes with it.
 */
export interface Verb<Rule extends { network: string } = { network: string }, Kind extends string = string> {
  name: Rule['network'];
  /** One or two sentences, for the schemas and the reference page. */
  description: string;
  /** Where it works: on a request, on a response, or on a step of the service. A rule's own `side` overrides it. */
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
  /** The step of the service that it can be about; `expected` says which where it has to be about one. */
  step?: { kind: 'service' | 'event' | 'finish'; expected?: string };
  /** A problem of a rule in a file that the schema cannot detect; undefined if there is none. */
  problem?(rule: Readonly<Record<string, unknown>>): string | undefined;
  /** The rule in words: `delay response by 2s`. */
  describe(rule: Rule & { of?: { step?: string } }): string;
  /** Decides by the requests in the current window (`hit.window`) whether it fires. */
  countsRequests?: true;
  /** It needs the next such request, which the rule lets pass. */
  needsNext?: true;
  onRequest?(rule: Rule, hit: RuleHit): Effect | undefined;
  /** After the service has handled the request. */
  onResponse?(rule: Rule, hit: RuleHit, response: ResponseFacts): Effect | undefined;
  /** For the log, when it has done something to a step. */
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

/** What a verb can know when a rule has hit a request or its response. */
export interface RuleHit {
  side: NetworkSide;
  /** Time on the mock's clock, ms. */
  now: number;
  task: TaskFacts | undefined;
  /** A whole number between these two, drawn from the seed for this rule and task. */
  draw(least: number, most: number): number;
  /** Of a verb that counts requests: when the current window began (ms), and the requests in it. */
  window: { from: number; used: number };
}

export interface TaskFacts {
  /** Largest event timestamp that a response has carried, ms. */
  shown: number;
  log: { list(): readonly TaskEvent[]; find(id: string): TaskEvent | undefined };
  calls: ReadonlyMap<string, { reply?: unknown }> | null;
}

/** The timeline of a task. */
export interface TimelineFacts {
  steps: readonly Step[];
  /** Ids of the steps that have happened. */
  happened: ReadonlySet<string>;
  /** Event ids by step id. */
  ids: Readonly<Record<string, string>>;
}

export interface ResponseFacts {
  status: number;
  body: string | Uint8Array;
  /** It will not arrive whole. */
  fault?: Fault;
}

/** `drop`: no response at all. `truncate`: the connection ends after so many bytes of the body. */
export type Fault = { kind: 'drop' } | { kind: 'truncate'; bytes: number };

/** What the network does to a request or response. */
export interface Effect {
  /** For the journal. */
  note: string;
  /** Keeps the request or response for so long at most, or until something happens. */
  wait?: { atMostMs: number; until?: HoldCondition | 'next response'; late?: string };
  /** The service handles the request twice. */
  twice?: true;
  /** An error of the API in place of the response. */
  error?: { status: number; detail: string; retryAfterS?: number | undefined };
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
   * How early the kinds come in a search, by the request that they are about: 0 is first. What is not here comes last.
   * They are ordered by how many clients they have broken.
   */
  ranks: Readonly<Record<Kind, number | Partial<Record<RequestKind, number>>>>;
  /** What each kind is to the client. */
  changes: Readonly<Record<Kind, DeviationChange>>;
  /** A second one of these at the same request hides the first or is hidden by it. */
  isFault?: true;
  /** The order of requests, responses and steps does not show it. */
  isHidden?: true;
  /** It affects every poll in the same way, and every client sends the first polls. */
  isOfAnyPoll?: true;
  /** It is tried with requests that have failed too. */
  isOfFailed?: true;
  forRequest?(request: DeviationRequest): Iterable<CandidateDeviation<Rule, Kind>>;
  forStep?(step: DeviationStep): Iterable<CandidateDeviation<Rule, Kind>>;
}

/** What a deviation changes for the client. Kinds of one sort ask the same of it. */
export interface DeviationChange {
  sort: ChangeSort;
  /** In a clause in the past tense: `poll 2 got 429`. */
  clause(about: { request: string; step: string }): string;
}

export type ChangeSort =
  | 'limited'
  | 'no response'
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
  /** Durations that stay below the time-outs that clients set themselves. */
  holdMs: number;
  delayMs: number;
  /** Events in its response. */
  events: number;
  /** An earlier response has listed events. */
  hasEarlierEvents: boolean;
  /** A poll came while another was under way. */
  pollsOverlap: boolean;
  /** What the request can wait for, and its response, without waiting for itself. */
  waits(side: NetworkSide): Iterable<{ step: string }>;
  /** The next request of another sort, where the client may send it meanwhile. */
  next(): { arrive: object } | undefined;
}

/** A step of the service that a deviation could be about. */
export interface DeviationStep extends Pick<DeviationRequest, 'holdMs' | 'delayMs'> {
  step: ServiceStep;
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

/** In the words of a rule: the longest time that it waits. */
export function describeAtMost(ms: number | undefined): string {
  return ms === undefined ? '' : `, at most ${formatDuration(ms)},`;
}

/** What the explorer may try where `isOccasion`. */
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
