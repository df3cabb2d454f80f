import { type OperationId, operationIds } from '../../../spec/generated/operations.js';
import type { ApiRequest } from '../http-client/response.js';
import { accountOperations } from './account.js';
import { chatOperations } from './chats.js';
import { eventOperations } from './events.js';
import type { DrawDefinition, OperationDefinition, Topic, ValueSource } from './operation.js';
import { type ResourceName, type ResourceNames, resources } from './resources.js';
import { taskOperations } from './tasks.js';
import { uploadOperations } from './uploads.js';
import { workspaceOperations } from './workspaces.js';

/** Every operation of the API, for the suite, the generated checks and the search. */
export const definitions: Readonly<Record<OperationId, OperationDefinition>> = {
  ...taskOperations,
  ...eventOperations,
  ...uploadOperations,
  ...workspaceOperations,
  ...chatOperations,
  ...accountOperations,
};

/** The request without resource ids, in each form that a service may accept. */
export function listForms(id: OperationId, source: ValueSource, names: ResourceNames): readonly ApiRequest[] {
  const { request = {} } = definitions[id];
  return [typeof request === 'function' ? request(source, names) : request].flat();
}

/** One kind of request of an operation that the search draws. */
export interface CommandBuilder extends DrawDefinition {
  operation: OperationId;
  topics: readonly Topic[];
  makes?: ResourceName | undefined;
}

export const commandBuilders: readonly CommandBuilder[] = operationIds.flatMap((operation) => {
  const { also = [], ...first } = definitions[operation];
  const { needs = [], allow } = first;
  const needed = needs.map((name) => resources[name]).at(-1);
  const of = needed?.kind ?? (needed?.id ? needs.at(-1) : undefined);
  return [first, ...also].flatMap((draw) => {
    const makes = draw.of === undefined ? findCreatedKind(operation) : undefined;
    return draw.topics ? [{ drawAllow: allow, of, makes, ...draw, operation, topics: draw.topics }] : [];
  });
});

/** The kinds of resources that have to exist before the request can be built. */
export function listNeededKinds({ operation, of }: CommandBuilder): ResourceName[] {
  const { needs = [] } = definitions[operation];
  const kinds = needs.map((name) => resources[name].kind ?? name);
  if (of === undefined) return [];
  // The same operation may be drawn about another kind than the suite sends it about. Settings are no resources.
  return kinds.includes(of) ? [...new Set(kinds)].filter((kind) => resources[kind].id !== undefined) : [of];
}

/** Whether the operation lists resources of the kind by a value that identifies them: a time may occur for other reasons. */
export function isListOperation(id: OperationId, kind: ResourceName): boolean {
  const { id: own, mark = own } = resources[kind];
  return definitions[id].lists === kind && mark !== 't';
}

/** Whether a success of the operation removes its resource. A stopped task is still listed. */
export function isRemoval(id: OperationId): boolean {
  return definitions[id].consumes === true && id !== 'deleteTask' && id !== 'updateTask';
}

/** Whether a success of the operation ends its resource, which can still be read. */
export function isEnding(id: OperationId): boolean {
  return definitions[id].consumes === true && !isRemoval(id);
}

/** The kind of resource that the operation creates. */
export function findCreatedKind(id: OperationId): ResourceName | undefined {
  const { creates } = definitions[id];
  return creates && (resources[creates].kind ?? creates);
}
