import type { Random } from '../../../../mock/generate/random.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import type { Allowance, KeyName } from '../../test-case/test-case.js';
import type { Command, Template } from '../sequence/sequence.js';
import { isThere, type Kind, type Thing } from '../sequence/things.js';

/** What a sequence may be about. A sequence keeps to a few of them, so that its requests meet. */
export const FAMILIES = [
  'tasks',
  'sessions',
  'tools',
  'uploads',
  'browsers',
  'chats',
  'sops',
  'automations',
  'account',
] as const;
export type Family = (typeof FAMILIES)[number];

export type Part = Partial<Command>;
type Make<T> = (draw: Draw, thing: Thing) => T | undefined;

/** How requests of one operation are drawn. */
export interface Row {
  operation: OperationId;
  families: readonly Family[];
  /** The kind of thing that its required parameters name. */
  of?: Kind;
  /** States of that thing in which it is sent; any that is there when left out. */
  states?: readonly string[];
  makes?: Kind;
  /** What its response lists, which nothing makes. */
  finds?: Kind;
  /** The plain request, beside the parameters that name the thing. */
  request?: Make<Part>;
  /** Values of optional parameters. */
  optional?: Readonly<Record<string, Make<Template>>>;
  /** Other requests, by what is special about them. */
  variants?: Readonly<Record<string, Make<Part>>>;
  allow?: Allowance;
  /** Default 1. */
  weight?: number;
}

/** A way to make a request, and what is special about it. */
export interface Choice {
  condition: string;
  weight: number;
  make: () => Part | undefined;
}

/** How often each operation was sent in each state of its thing, under each condition, and after what. */
export class Coverage {
  /** By operation and state: how often under each condition; 0 where it could be drawn. */
  readonly #cells = new Map<string, Map<string, number>>();
  /** By operation and condition: what was done before to the same thing. */
  readonly #pairs = new Map<OperationId, Map<string, Set<string>>>();

  add(operation: OperationId, state: string, condition: string): void {
    const counts = this.counts(operation, state);
    counts.set(condition, (counts.get(condition) ?? 0) + 1);
  }

  counts(operation: OperationId, state: string): Map<string, number> {
    return entryOf(this.#cells, `${operation} × ${state}`, () => new Map<string, number>());
  }

  addPairs(
    before: Iterable<string>,
    { operation, condition }: Pick<Command, 'operation' | 'condition'>,
  ): void {
    const known = entryOf(this.pairs(operation), condition, () => new Set<string>());
    for (const each of before) known.add(each);
  }

  pairs(operation: OperationId): Map<string, Set<string>> {
    return entryOf(this.#pairs, operation, () => new Map<string, Set<string>>());
  }

  get figure(): { cells: number; of: number } {
    const all = [...this.#cells.values()].flatMap((counts) => [...counts.values()]);
    return { cells: all.filter((count) => count > 0).length, of: all.length };
  }
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** How much of what was done to a thing was followed by the request in no sequence. */
export function countNew(before: ReadonlySet<string>, known: ReadonlySet<string> | undefined): number {
  if (!known) return before.size;
  let isNew = 0;
  for (const each of before) if (!known.has(each)) isNew++;
  return isNew;
}

const NOTHING: ReadonlySet<string> = new Set();

/** What the next request is drawn from: chance, and what the sequence has made so far. */
export class Draw {
  /** The label of the thing that comes first, where there are several: what happens twice to one thing is rare by chance. */
  focus: string | undefined;
  /** What was done to each thing, by its label: operations with their conditions. */
  private readonly done = new Map<string, Set<string>>();
  #words = 0;
  #labels = 0;

  constructor(
    readonly random: Random,
    public things: readonly Thing[],
    /** Whose key the sequence has. */
    readonly key: KeyName,
    readonly hasStranger: boolean,
    /** Forms of requests whose fields are open, by operation: the one that the service takes. */
    readonly forms: ReadonlyMap<OperationId, number>,
    readonly coverage: Coverage,
  ) {}

  /** Notes what was done, to everything that the request names. */
  note({ operation, condition, astray, as, ...named }: Command): void {
    const now = `${operation} ${condition}`;
    const text = JSON.stringify(named);
    for (const { label } of this.things) {
      if (label !== as && !text.includes(`{{${label}.`)) continue;
      this.coverage.addPairs(this.doneTo(label), { operation, condition });
      // What has not got to it leaves it as it was.
      if (astray === undefined) this.#noteDone(label, now);
    }
  }

  noteWait(): void {
    for (const { label } of this.things) this.#noteDone(label, 'a long wait');
  }

  doneTo(label: string): ReadonlySet<string> {
    return this.done.get(label) ?? NOTHING;
  }

  #noteDone(label: string, what: string): void {
    const done = this.done.get(label);
    if (done) done.add(what);
    else this.done.set(label, new Set([what]));
  }

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return this.random.pick(items);
  }

  /** One of those there are. */
  thing(kind: Kind, is: (thing: Thing) => boolean = isThere): Thing | undefined {
    const found = this.things.filter((each) => each.kind === kind && is(each));
    const focused = found.find(({ label }) => label === this.focus);
    if (focused && this.chance(0.5)) return focused;
    return found.length === 0 ? undefined : this.pick(found);
  }

  /** One of those there are, the likelier the more was done to it that no sequence has seen followed by this. */
  newest(kind: Kind, operation: OperationId, condition: string): Thing | undefined {
    const found = this.things.filter((each) => each.kind === kind && isThere(each));
    const known = this.coverage.pairs(operation).get(condition);
    const weights = found.map(({ label }) => 1 + 2 * countNew(this.doneTo(label), known));
    return found.length === 0 ? undefined : found[weighted(this.random, weights)];
  }

  /** A text that nothing else has. `role`: what it stands for. */
  word(role: string): string {
    return `{{word.${role}${String(++this.#words).padStart(2, '0')}}}`;
  }

  label(kind: Kind): string {
    return `${kind}${++this.#labels}`;
  }
}

export function ref({ label }: Thing, name: string): string {
  return `{{${label}.${name}}}`;
}

/** Index of one of the weights, drawn with a chance in proportion to it. */
export function weighted(random: Random, weights: readonly number[]): number {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
