import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';

const descriptions = new Map(
  requirements.map(({ describes, id, evidence }) => [
    describes,
    { id: id as RequirementId, isShown: evidence !== 'effect' },
  ]),
);

/** The rule about an operation. Unless `isShown`, a response alone can break it but is no evidence that it is met. */
export function readRule(operation: OperationId): { id: RequirementId; isShown: boolean } {
  const rule = descriptions.get(operation);
  if (!rule) throw new Error(`spec/requirements.yaml: expected a requirement with "describes: ${operation}"`);
  return rule;
}
