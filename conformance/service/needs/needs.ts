import { type OperationId, operations } from '../../../spec/generated/operations.js';
import { isSameJson } from '../../conversation/json.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import { applyChange, type BodyChange, classifyRequest, findChanges } from './changes.js';

/** Requests that are sent to resolve one refusal, at most. */
export const MOST_TRIES = 8;

/** A change that requests of a kind need. */
interface Need {
  operation: OperationId;
  /** The kind of request: session, task, or the name of an action. */
  kind: string;
  change: BodyChange;
}

/**
 * Fields, limits and values that the target requires beyond the API description. Learned from refusals that name a field, and
 * applied to all later requests of the run.
 */
export class Needs {
  readonly #needs: Need[] = [];
  /** Texts of refusals that no change resolved. */
  readonly #unresolved = new Set<string>();

  /** `onNeed` is called with a sentence for each new need. */
  constructor(private readonly onNeed: (need: string) => void = () => {}) {}

  /** A copy of the request with all known needs applied. */
  amend<Sending extends ApiRequest>(operation: OperationId, request: Sending): Sending {
    const kind = classifyRequest(operation, request.body);
    const needed = this.#needs.filter((need) => need.operation === operation && isForKind(need, kind));
    if (needed.length === 0) return request;
    const body = needed.reduce((changed, { change }) => applyChange(changed, change), request.body);
    return { ...request, body };
  }

  /** Changes of the request that may resolve the refusal, most likely first. Empty if it names no field. */
  findChanges(operation: OperationId, request: ApiRequest, refused: ApiResponse): readonly BodyChange[] {
    const isUnresolved = this.#unresolved.has(createRefusalKey(operation, request, refused));
    return isUnresolved ? [] : findChanges(operation, request.body, refused);
  }

  /** Records changes with which a refused request was accepted. */
  recordNeed(
    operation: OperationId,
    request: ApiRequest,
    changes: readonly BodyChange[],
    refused: ApiResponse,
  ): void {
    const kind = classifyRequest(operation, request.body);
    for (const change of changes) {
      if (this.#needs.some((need) => need.operation === operation && isSame(need, kind, change))) continue;
      this.#needs.push({ operation, kind, change });
      const { method, path } = operations[operation];
      this.onNeed(
        `${method} ${path}${kind === '' ? '' : ` (${kind})`} needs ${change.what}: exchange ${refused.seq} was refused with ${refused.status} without that.`,
      );
    }
  }

  recordUnresolved(operation: OperationId, request: ApiRequest, refused: ApiResponse): void {
    this.#unresolved.add(createRefusalKey(operation, request, refused));
  }
}

/** A limit applies to all kinds; a required field may apply to one kind only. */
function isForKind({ kind, change }: Need, other: string): boolean {
  return kind === other || !change.isRequired;
}

function isSame(need: Need, kind: string, change: BodyChange): boolean {
  const { path, what } = need.change;
  return isForKind(need, kind) && isSameJson(path, change.path) && what === change.what;
}

function createRefusalKey(
  operation: OperationId,
  request: ApiRequest,
  { status, text }: ApiResponse,
): string {
  const shape = Object.keys(Object(request.body)).join();
  return JSON.stringify([operation, classifyRequest(operation, request.body), shape, status, text]);
}
