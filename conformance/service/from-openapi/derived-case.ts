import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import { requestBuilders } from '../request-builders/builders.js';
import {
  operationsUsed,
  prepareRequest,
  sendInSomeForm,
  tasksStarted,
} from '../request-builders/requests.js';
import { trackResources } from '../runner/cleanup.js';
import { describeRequest, needSuccess } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

export const everyOperation: readonly Operation[] = Object.values(operations);

/** The rule that describes an operation. Unless `isShown`, a response alone can break it but not show that it is kept. */
export function ruleOf(operation: OperationId): { id: RequirementId; isShown: boolean } {
  const rule = requirements.find(({ describes }) => describes === operation);
  if (!rule) throw new Error(`spec/requirements.yaml: expected a requirement with "describes: ${operation}"`);
  return { id: rule.id as RequirementId, isShown: rule.evidence !== 'effect' };
}

/** A case about one operation. `successes`: requests to it that may succeed. `title` follows the name of the operation. */
export function derivedCase(
  { id: operation }: Operation,
  about: { id: TestCase['id']; title: string; covers: readonly RequirementId[]; successes: number },
  run: (t: TestContext) => Promise<void>,
): TestCase {
  const { allow } = requestBuilders[operation];
  return {
    id: about.id,
    title: `${describeRequest(operation)} ${about.title}`,
    covers: about.covers,
    operations: operationsUsed(operation),
    tasks: tasksStarted(operation, about.successes),
    ...(allow === undefined ? {} : { allow }),
    run: (t) => trackResources(t, run),
  };
}

/**
 * Shows that a request succeeds before anything about it is changed: `first`, and `next`, which makes more of them. Ends the case
 * where it does not, after `onRefused`.
 */
export async function baseline(
  t: TestContext,
  id: OperationId,
  onRefused: (response: ApiResponse) => void = () => {},
): Promise<{ first: ApiResponse; next(): ApiRequest }> {
  const next = await prepareRequest(t, id);
  const { response: first } = await sendInSomeForm(t, id, next);
  if (!first.ok) {
    onRefused(first);
    // The operation's own case, `resources/...-answer`, judges what a valid request leads to.
    needSuccess(t, id, first);
  }
  return { first, next: requestBuilders[id].consumes ? await prepareRequest(t, id) : next };
}
