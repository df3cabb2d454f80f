import type { Random } from '../../../mock/generate/random.js';
import type { Capability } from '../../../scenarios/format/needs.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { ApiRequest } from '../http-client/response.js';
import type { Allowance } from '../test-case/test-case.js';
import type { Command, Template } from './command.js';
import type { CollectFacts, Resource } from './observed.js';
import type { ResourceName, ResourceNames } from './resources.js';

/** What a request builder takes values from: a test case, or the draw of a sequence. */
export interface ValueSource {
  /** A unique text. It identifies what the request creates. `role`: its purpose. */
  unique(role: string): string;
  now(): number;
}
/** What the draw of a sequence offers to the requests of an operation. */
export interface DrawSource extends ValueSource {
  readonly random: Random;
  readonly resources: readonly Resource[];
  /** By operation: the index of the request form that the service accepts, where field names are open. */
  readonly forms: ReadonlyMap<OperationId, number>;
  drawBoolean(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** A random resource of the kind that matches. Default: one that is present. */
  pickResource(kind: ResourceName, isMeant?: (resource: Resource) => boolean): Resource | undefined;
  /** A random resource that is present. One with more history that this request has not followed yet is more likely. */
  pickUncovered(kind: ResourceName, operation: OperationId, condition: string): Resource | undefined;
  /** A resource that the sequence may name with the key of another organisation. */
  pickForeign(kind: ResourceName): Resource | undefined;
  pickGone(kind: ResourceName): Resource | undefined;
  /** The request in the form that the service accepts. */
  pickForm(operation: OperationId, forms: readonly ApiRequest[]): CommandFields;
}

type RequestForms = ApiRequest | readonly ApiRequest[];

/** Topics of sequences. A sequence has few of them, so that its requests interact. */
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
type DrawFunction<T> = (draw: DrawSource, resource: Resource) => T | undefined;
type DrawnFields = CommandFields | DrawFunction<CommandFields>;

/** How the search draws requests of an operation. Without topics it draws none. */
export interface DrawDefinition {
  topics?: readonly Topic[];
  /** The kind of resource that its required parameters identify. Default: the last one that the operation needs. */
  of?: ResourceName | undefined;
  /** States of that resource in which the request is sent. Default: any state but `gone`. */
  states?: readonly string[];
  /** The plain request, without the parameters that identify the resource. Default: as `request` builds it. */
  plain?: DrawnFields;
  optional?: Readonly<Record<string, DrawFunction<Template>>>;
  /** Other requests, by condition. */
  variants?: Readonly<Record<string, DrawnFields>>;
  /** Variants that create what other operations need. */
  often?: readonly string[];
  /** The kinds that its response lists and that no operation creates. */
  finds?: readonly ResourceName[];
  /** The search changes what the suite sets to its current value. */
  drawAllow?: Allowance | undefined;
  weight?: number;
}

/** Everything about an operation that its description does not state: its requests, its effects and what its responses show. */
export interface OperationDefinition extends DrawDefinition {
  /** Resources that have to exist. Their names fill in the required parameters of the operation. */
  needs?: readonly ResourceName[];
  /**
   * All other fields. If the API does not name the body fields, there are several equivalent forms: the next is sent after a
   * refusal.
   */
  request?: RequestForms | ((source: ValueSource, names: ResourceNames) => RequestForms);
  creates?: ResourceName;
  /** The kind that its response lists. */
  lists?: ResourceName;
  /** A success consumes the named resource: the next request needs another one. */
  consumes?: true;
  allow?: Allowance;
  /** Further features that the target needs, by names that `lacks` accepts. */
  parts?: readonly Capability[];
  /**
   * The API does not state all content of the request: a refusal of its fields (`fields`), or also a 404 (`lookup`), is no
   * finding.
   */
  open?: 'fields' | 'lookup';
  /** Its texts replace earlier ones of the resource. */
  replaces?: true;
  /** Its response may contain texts of the agent. */
  mayQuote?: true;
  /** What its response shows, beside lists and unique texts. */
  facts?: CollectFacts;
  /** Counts. They follow the facts about single entries, which explain a defect better. */
  counts?: CollectFacts;
  /** The same operation in sequences for other topics or resources. */
  also?: readonly DrawDefinition[];
}

/** A variant for each of the values. */
export function createVariants<T>(
  values: readonly T[],
  formatCondition: (value: T) => string,
  create: (value: T) => DrawnFields,
): Readonly<Record<string, DrawnFields>> {
  return Object.fromEntries(values.map((value) => [formatCondition(value), create(value)]));
}

export function drawFields(
  fields: DrawnFields,
  draw: DrawSource,
  resource: Resource,
): CommandFields | undefined {
  return typeof fields === 'function' ? fields(draw, resource) : fields;
}

export function formatReference({ label }: Resource, name: string): string {
  return `{{${label}.${name}}}`;
}

/** What `create` makes of a reference to the resource, if there is one. */
export function refer<T>(
  resource: Resource | undefined,
  name: string,
  create: (reference: string) => T,
): T | undefined {
  return resource && create(formatReference(resource, name));
}
