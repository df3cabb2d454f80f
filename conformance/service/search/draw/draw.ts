import type { Random } from '../../../../mock/generate/random.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import type { ApiRequest } from '../../http-client/response.js';
import type { Command } from '../../operations/command.js';
import { isPresent, type Resource } from '../../operations/observed.js';
import type { CommandFields, DrawSource } from '../../operations/operation.js';
import type { ResourceName } from '../../operations/resources.js';
import type { KeyName } from '../../test-case/test-case.js';
import { countShared, type PairCoverage, REFUSED } from './pair-coverage.js';

/** A way to build a request, and its condition. */
export interface CommandChoice {
  condition: string;
  weight: number;
  make: () => CommandFields | undefined;
}

export type AddChoice = (condition: string, weight: number, make: () => CommandFields | undefined) => void;

/** How often each operation was sent in each state of its resource, under each condition, and after which other requests. */
export class CommandCoverage {
  /** By operation and state: the count of each condition; 0 if the condition was possible but not drawn. */
  readonly #cells = new Map<string, Map<string, number>>();
  /** By operation and condition: earlier requests to the same resource. */
  readonly #pairs = new Map<OperationId, Map<string, Set<string>>>();
  /** The kinds of resources that any sequence has had. */
  readonly kinds = new Set<ResourceName>();
  /** The number of logs of many actions that were sent to their end, and of all. */
  logs = { whole: 0, begun: 0 };

  constructor(readonly operations: PairCoverage) {}

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

/** The number of earlier requests that this request has not followed in any sequence. */
export function countNew(before: ReadonlySet<string>, known: ReadonlySet<string> | undefined): number {
  return before.size - (known ? countShared(before, known) : 0);
}

const NOTHING: ReadonlySet<string> = new Set();

/** The state that the next request is drawn from: random numbers, and the resources of the sequence. */
export class DrawContext implements DrawSource {
  /** The label of the preferred resource: by chance alone, two requests rarely concern the same one. */
  focus: string | undefined;
  /** The operations that the sequence has sent. */
  readonly sent = new Set<OperationId>();
  /** Labels of resources to which a request was refused by design. */
  readonly #refused = new Set<string>();
  /** By label: the operations and conditions that each resource has seen. */
  private readonly done = new Map<string, Set<string>>();
  #markers = 0;
  #labels = 0;

  constructor(
    readonly random: Random,
    public resources: readonly Resource[],
    /** The key that the sequence uses. */
    readonly key: KeyName,
    readonly hasStranger: boolean,
    /** By operation: the index of the request form that the service accepts, where field names are open. */
    readonly forms: ReadonlyMap<OperationId, number>,
    readonly coverage: CommandCoverage,
  ) {}

  /** Records the command in the history of every resource that it names. */
  recordCommand({ operation, condition, astray, as, ...named }: Command): void {
    const resource = this.resources.find(({ label }) => label === named.on);
    this.coverage.operations.add(operation, this.sent, resource ? this.listStates(resource) : []);
    this.sent.add(operation);
    if (resource && (astray || named.invalid)) this.#refused.add(resource.label);
    const now = `${operation} ${condition}`;
    const text = JSON.stringify(named);
    for (const { label } of this.resources) {
      if (label !== as && !text.includes(`{{${label}.`)) continue;
      this.coverage.addPairs(this.readDone(label), { operation, condition });
      // A misdirected request does not change the resource.
      if (astray === undefined) this.#recordDone(label, now);
    }
  }

  recordWait(): void {
    for (const { label } of this.resources) this.#recordDone(label, 'a long wait');
  }

  /** The states of the resource that count for the coverage. */
  listStates({ label, state }: Resource): string[] {
    return this.#refused.has(label) ? [state, REFUSED] : [state];
  }

  /** Whether no request of the operation was sent to a resource in this state. */
  isInNewState(operation: OperationId, resource: Resource): boolean {
    return this.coverage.operations.hasNewState(operation, () => this.listStates(resource));
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

  /** A random resource of the kind that matches. Default: one that is present. */
  pickResource(kind: ResourceName, is: (thing: Resource) => boolean = isPresent): Resource | undefined {
    const found = this.resources.filter((each) => each.kind === kind && is(each));
    const focused = found.find(({ label }) => label === this.focus);
    if (focused && this.drawBoolean(0.5)) return focused;
    return found.length === 0 ? undefined : this.pick(found);
  }

  /** A random resource that is present. One with more history that this request has not followed yet is more likely. */
  pickUncovered(kind: ResourceName, operation: OperationId, condition: string): Resource | undefined {
    const found = this.resources.filter((each) => each.kind === kind && isPresent(each));
    const known = this.coverage.getPairs(operation).get(condition);
    const weights = found.map(({ label }) => 1 + 2 * countNew(this.readDone(label), known));
    return found.length === 0 ? undefined : found[pickWeighted(this.random, weights)];
  }

  /** A resource that the sequence may name with the key of another organisation. */
  pickForeign(kind: ResourceName): Resource | undefined {
    return this.hasStranger && this.key === 'main' ? this.pickResource(kind) : undefined;
  }

  pickGone(kind: ResourceName): Resource | undefined {
    return this.pickResource(kind, (each) => !isPresent(each));
  }

  /** The request in the form that the service accepts. */
  pickForm(operation: OperationId, forms: readonly ApiRequest[]): CommandFields {
    const { path, query, body } = forms[this.forms.get(operation) ?? 0] ?? forms[0]!;
    return {
      ...(path && { path }),
      ...(query && { query }),
      ...(body !== undefined && { body }),
    } as CommandFields;
  }

  /** The times in requests of a sequence are the same whenever it is drawn. */
  now(): number {
    return 0;
  }

  unique(role: string): string {
    return `{{word.${role}${String(++this.#markers).padStart(2, '0')}}}`;
  }

  createLabel(kind: ResourceName): string {
    return `${kind}${++this.#labels}`;
  }
}

/** Index of one of the weights, drawn with a probability in proportion to it. */
export function pickWeighted(random: Random, weights: readonly number[]): number {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
