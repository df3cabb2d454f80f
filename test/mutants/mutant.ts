import type { FetchFunction } from '../../conformance/service/http-client/target.js';
import type { RequirementId } from '../../spec/generated/documents.js';

/** What a variation may know beside the traffic. */
export interface MutantContext {
  /** Time of the service, ms. */
  now(): number;
}

/** A variation of a service that breaks one rule and keeps the others: what the suite has to notice. */
export interface Mutant {
  /** `poll-always-200`: stable for good. */
  readonly id: string;
  /** The rule it breaks. */
  readonly requirement: RequirementId;
  /** What is wrong with it, in one sentence. */
  readonly breaks: string;
  /** Choices that the good service makes, where the fault shows under these alone. */
  readonly dialect?: Readonly<Record<string, unknown>>;
  /** The faulty service around a good one; what it remembers is its own. */
  wrap(fetch: FetchFunction, context: MutantContext): FetchFunction;
}

/** What the condition of a fault is about. */
export type ConditionKind =
  | 'requests at once'
  | 'after a deletion'
  | 'parameters together'
  | 'similar id'
  | 'later'
  | 'another key'
  | 'n-th request'
  | 'several things'
  | 'bound'
  | 'value'
  | 'order';

/** A mutant that does as the good service does, except under one condition. */
export interface ConditionalMutant extends Mutant {
  readonly condition: ConditionKind;
}
