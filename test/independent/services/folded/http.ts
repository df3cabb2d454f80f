import type { Choices } from './choices.js';
import type { Fields, Json, Ledger, TaskState } from './ledger.js';
import { isFields } from './schema.js';

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly detail: Json,
    readonly headers: Record<string, string> = {},
  ) {
    super(String(status));
  }
}

export function invalid(place: string, name: string, msg: string): Refusal {
  return new Refusal(422, [{ loc: [place, name], msg: `${name}: ${msg}`, type: 'value_error' }]);
}

export const notFound = (what: string) => new Refusal(404, `There is no such ${what}.`);

/** What the whole service shares. */
export interface House {
  choices: Choices;
  ledgers: Ledger[];
  makeId(what: string): string;
  /** Ids of refused replies: only a fault remembers them. */
  refusedReplies: Set<string>;
  pollTimes: Map<string, number[]>;
  pollsAtOnce: Map<string, number>;
  seenOnce: Set<string>;
}

export interface Call {
  house: House;
  /** The organisation of the key; of endpoints without a key it is the first one and not used. */
  ledger: Ledger;
  now: number;
  params: string[];
  query: URLSearchParams;
  headers: Headers;
  body: Json | undefined;
  form: FormData | undefined;
  sharedPoll: boolean;
}

export interface Answer {
  status?: number;
  body?: Json;
}

export interface Route {
  method: string;
  path: string;
  open?: boolean;
  reads?: 'json' | 'form';
  run(call: Call): Answer;
}

export const inR = (value: Json): Answer => ({ body: { r: value } });

export function inRCreated({ house }: Call, value: Json): Answer {
  return { body: { r: value }, status: house.choices.varies('created-201') ? 201 : 200 };
}

/** Where the description names no body. */
export function noBody({ house: { choices } }: Call): Answer {
  if (choices.varies('json-for-no-body')) return inR(true);
  if (choices.varies('string-for-no-body')) return { body: 'OK' };
  return { status: 204 };
}

/** Where the tables name a response without r. */
export function bare({ house }: Call, value: Fields): Answer {
  return house.choices.varies('workspace-in-envelope') ? inR(value) : { body: value };
}

export function extras({ house }: Call, more: Fields): Fields {
  return house.choices.varies('no-extras') ? {} : more;
}

export function sortList<T>({ house }: Call, oldestFirst: T[]): T[] {
  return house.choices.varies('newest-first') ? oldestFirst.toReversed() : oldestFirst;
}

export function queryText(call: Call, name: string): string {
  const value = call.query.get(name);
  if (value === null || value === '') throw invalid('query', name, 'is required');
  return value;
}

export function queryInteger(call: Call, name: string): number | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  if (!/^-?\d{1,16}$/.test(value)) throw invalid('query', name, 'is not an integer');
  return Number(value);
}

export function requiredInteger(call: Call, name: string): number {
  queryText(call, name);
  return queryInteger(call, name)!;
}

export function queryBoolean(call: Call, name: string): boolean | undefined {
  const value = call.query.get(name);
  if (value !== null && value !== 'true' && value !== 'false')
    throw invalid('query', name, 'is not a boolean');
  return value === null ? undefined : value === 'true';
}

export function requiredBoolean(call: Call, name: string): boolean {
  queryText(call, name);
  return queryBoolean(call, name)!;
}

export function headerText(call: Call, name: string): string {
  const value = call.headers.get(name);
  if (!value) throw invalid('header', name, 'is required');
  return value;
}

export function bodyFields(call: Call): Fields {
  if (!isFields(call.body)) throw invalid('body', 'body', 'has to be an object');
  return call.body;
}

export function refuseFreePlan(call: Call, what: string): void {
  if (call.ledger.shelf('org').get('self')?.['plan'] === 'free') {
    throw new Refusal(403, `${what}: a premium feature, not available on the free plan.`);
  }
}

export function refuseWithoutCredits(call: Call): void {
  if (call.ledger.state.credits <= 0)
    throw new Refusal(429, 'API credits are exhausted: an upgrade is needed.');
}

export function findTask(call: Call): TaskState {
  const { choices, ledgers } = call.house;
  const id = call.params[0]!;
  const task = call.ledger.state.tasks.get(id);
  if (task) return task;
  if (choices.fault('foreign-event-taken')) {
    const owner = ledgers.find((one) => one.state.tasks.has(id));
    if (owner && call.body !== undefined) {
      call.ledger = owner;
      return owner.state.tasks.get(id)!;
    }
  }
  throw notFound('task');
}
