import { CAPABILITIES } from '../../scenarios/format/needs.js';
import { ASKS } from '../../scenarios/format/types.js';
import { type OperationId, operations } from '../../spec/generated/operations.js';
import { formatSuggestion } from '../../spec/nearest.js';
import type { Side } from '../../spec/requirement-types.js';

const ALL = Object.values(operations);

/** Names that `--lacks` accepts: parts of the API, tags and operations of its description, request fields, asks. */
export const LACKS: readonly string[] = [
  ...new Set<string>([
    ...CAPABILITIES,
    ...ALL.map(({ tag }) => tag),
    ...ALL.map(({ id }) => id),
    ...(operations.createTask.body?.fields ?? []).filter(
      (name) => name !== 'task' && name !== 'custom_tools',
    ),
    ...ASKS,
  ]),
];

/** `lacks` may name the operation by its id or by its tag. */
export function isLacking(operation: string, lacks: readonly string[]): boolean {
  return lacks.includes(operation) || lacks.includes(operations[operation as OperationId]?.tag);
}

export function explainLack(name: string, side: Side): string {
  return `it needs ${name}, which the ${side} lacks (--lacks ${name})`;
}

/** Throws TypeError for an unknown name. */
export function parseLack(text: string): string {
  const name = text === 'structured output' ? 'structured-output' : text;
  if (LACKS.includes(name)) return name;
  const others = `there are ${CAPABILITIES.join(', ')}, tags and operations of the API description, fields of a task request, and asks.`;
  throw new TypeError(`there is nothing named "${text}" to lack${formatSuggestion(text, LACKS, others)}`);
}
