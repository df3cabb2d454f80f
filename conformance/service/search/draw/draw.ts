import type { Random } from '../../../../mock/generate/random.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import type { Allowance, KeyName } from '../../test-case/test-case.js';
import { isPresent, type Resource, type ResourceKind } from '../sequence/resources.js';
import type { Command, Template } from '../sequence/sequence.js';

/** What a sequence may be about. A sequence keeps to a few of them, so that its requests meet. */
export const TOPICS = [
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
export type Topic = (typeof TOPICS)[number];

export type CommandFields = Partial<Command>;
type DrawFunction<T> = (draw: DrawContext, resource: Resource) => T | undefined;

/** How requests of one operation are drawn. */
export interface CommandBuilder {
  operation: OperationId;
  topics: readonly Topic[];
  /** The kind of thing that its required parameters name. */
  of?: ResourceKind;
  /** States of that thing in which it is sent; any that is there when left out. */
  states?: readonly string[];
  makes?: ResourceKind;
  /** What its response lists, which nothing makes. */
  finds?: ResourceKind;
  /** The plain request, beside the parameters that name the thing. */
  request?: DrawFunction<CommandFields>;
  /** Values of optional parameters. */
  optional?: Readonly<Record<string, DrawFunction<Template>>>;
  /** Other requests, by what is special about them. */
  variants?: Readonly<Record<string, DrawFunction<CommandFields>>>;
  allow?: Allowance;
  /** Default 1. */
  weight?: number;
}

/** A way to make a request, and what is special about it. */
export interface CommandChoice {
  condition: string;
  weight: number;
  make: () => CommandFields | undefined;
}

/** How often each operation was sent in each state of its thing, under each condition, and after what. */
export class CommandCoverage {
  /** By operation and state: how often under each condition; 0 where it could be drawn. */
  readonly #cells = new Map<string, Map<string, number>>();
  /** By operation and condition: what was done before to the same thing. */
  readonly #pairs = new Map<OperationId, Map<string, Set<string>>>();

  add(operation: OperationId, state: string, condition: string): void {
    const counts = this.getCounts(operation, state);
    counts.set(condition, (counts.get(condition) ?? 0) + 1);
  }

  getCounts(operation: OperationId, state: string): Map<string, number> {
    return getOrCreate(this.#cells, `${operation} × ${state}`, () => new Map<string, number>());
  }

  addPairs(
    before: Iterable<string>,
    { operation, condition }: Pick<Command, 'operation' | 'condition'>,
  ): void {
    const known = getOrCreate(this.getPairs(operation), condition, () => new Set<string>());
    for (const each of before) known.add(each);
  }

  getPairs(operation: OperationId): Map<string, Set<string>> {
    return getOrCreate(this.#pairs, operation, () => new Map<string, Set<string>>());
  }

  get figure(): { cells: number; of: number } {
    const all = [...this.#cells.values()].flatMap((counts) => [...counts.values()]);
    return { cells: all.filter((count) => count > 0).length, of: all.length };
  }
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
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
export class DrawContext {
  /** The label of the thing that comes first, where there are several: what happens twice to one thing is rare by chance. */
  focus: string | undefined;
  /** What was done to each thing, by its label: operations with their conditions. */
  private readonly done = new Map<string, Set<string>>();
  #markers = 0;
  #labels = 0;

  constructor(
    readonly random: Random,
    public resources: readonly Resource[],
    /** Whose key the sequence has. */
    readonly key: KeyName,
    readonly hasStranger: boolean,
    /** Forms of requests whose fields are open, by operation: the one that the service takes. */
    readonly forms: ReadonlyMap<OperationId, number>,
    readonly coverage: CommandCoverage,
  ) {}

  /** Notes what was done, to everything that the request names. */
  recordCommand({ operation, condition, astray, as, ...named }: Command): void {
    const now = `${operation} ${condition}`;
    const text = JSON.stringify(named);
    for (const { label } of this.resources) {
      if (label !== as && !text.includes(`{{${label}.`)) continue;
      this.coverage.addPairs(this.readDone(label), { operation, condition });
      // What has not got to it leaves it as it was.
      if (astray === undefined) this.#recordDone(label, now);
    }
  }

  recordWait(): void {
    for (const { label } of this.resources) this.#recordDone(label, 'a long wait');
  }

  readDone(label: string): ReadonlySet<string> {
    return this.done.get(label) ?? NOTHING;
  }

  #recordDone(label: string, what: string): void {
    const done = this.done.get(label);
    if (done) done.add(what);
    else this.done.set(label, new Set([what]));
  }

  drawBoolean(probability: number): boolean {
    return this.random.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return this.random.pick(items);
  }

  /** One of those there are. */
  pickResource(kind: ResourceKind, is: (thing: Resource) => boolean = isPresent): Resource | undefined {
    const found = this.resources.filter((each) => each.kind === kind && is(each));
    const focused = found.find(({ label }) => label === this.focus);
    if (focused && this.drawBoolean(0.5)) return focused;
    return found.length === 0 ? undefined : this.pick(found);
  }

  /** One of those there are, the likelier the more was done to it that no sequence has seen followed by this. */
  pickUncovered(kind: ResourceKind, operation: OperationId, condition: string): Resource | undefined {
    const found = this.resources.filter((each) => each.kind === kind && isPresent(each));
    const known = this.coverage.getPairs(operation).get(condition);
    const weights = found.map(({ label }) => 1 + 2 * countNew(this.readDone(label), known));
    return found.length === 0 ? undefined : found[pickWeighted(this.random, weights)];
  }

  /** A text that nothing else has. `role`: what it stands for. */
  createMarker(role: string): string {
    return `{{word.${role}${String(++this.#markers).padStart(2, '0')}}}`;
  }

  createLabel(kind: ResourceKind): string {
    return `${kind}${++this.#labels}`;
  }
}

export function formatReference({ label }: Resource, name: string): string {
  return `{{${label}.${name}}}`;
}

/** Index of one of the weights, drawn with a chance in proportion to it. */
export function pickWeighted(random: Random, weights: readonly number[]): number {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
