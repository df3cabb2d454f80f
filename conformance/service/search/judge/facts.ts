import type { RequirementId } from '../../../../spec/generated/documents.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { definitions, isListOperation } from '../../operations/definitions.js';
import type { SequenceNames } from '../sequence/names.js';
import type { Resource } from '../sequence/resources.js';
import type { Command } from '../sequence/sequence.js';
import { collectListedFacts } from './list-facts.js';
import { collectMarkerFacts } from './marker-facts.js';

/** A property of a response that can be compared between the service and its model. */
export interface Fact {
  /** Undefined if the response does not show it. */
  value: unknown;
  requirement: RequirementId;
  /** The required value, where the model copies the value of the service. */
  must?: unknown;
  /** A common name for many facts of one kind. */
  kind?: string;
  /** The description leaves it open. */
  isOpen?: boolean;
  /** The service may show more than the model: its agent may quote its input. */
  isLeast?: boolean;
  /** The service may show less than the model. */
  isMost?: boolean;
}

/** A response with its context. */
export interface ObservedResponse {
  request: ApiRequest;
  response: ApiResponse;
  names: SequenceNames;
  resource: Resource | undefined;
  resources: readonly Resource[];
  /** Unique texts that were sent, by marker. */
  markers: ReadonlyMap<string, SentMarker>;
  /** Operations that succeeded in this sequence, alone and with the label of their resource. */
  settings: ReadonlySet<string>;
  /** Lists of tasks begin with the newest, as far as known. */
  isNewestFirst: boolean;
}

/** A unique text that was sent: the operation and the resource it belongs to. */
export interface SentMarker {
  by: OperationId;
  owner: string | undefined;
  /** Its purpose. */
  role: string;
  /** A later request replaced it with another text of the same role. */
  isFormer?: true;
  /** The current request contains it. */
  isOwn?: true;
  /** Later requests about its owner whose effect is not stated: the text may have another place since. */
  after?: ReadonlySet<OperationId>;
}

export type Facts = Record<string, Fact>;
export type CollectFacts = (observed: ObservedResponse, command: Command) => Facts;

export function collectFacts(command: Command, observed: ObservedResponse): Facts {
  const { facts: collectOwnFacts, lists, counts } = definitions[command.operation];
  const facts: Facts = {
    ...collectOwnFacts?.(observed, command),
    ...(lists &&
      lists !== 'task' &&
      isListOperation(command.operation, lists) &&
      collectListedFacts(lists, command, observed)),
    ...collectMarkerFacts(command, observed),
    ...counts?.(observed, command),
  };
  if (command.astray === 'stranger') for (const fact of Object.values(facts)) fact.requirement = 'SERVICE-04';
  return facts;
}
