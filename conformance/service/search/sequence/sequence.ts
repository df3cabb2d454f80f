import {
  type OperationId,
  type OperationParameter,
  operations,
} from '../../../../spec/generated/operations.js';
import { type Shard, selectShard } from '../../../common/shard.js';
import type { Command } from '../../operations/command.js';
import type { Resource } from '../../operations/observed.js';
import { resources } from '../../operations/resources.js';
import type { KeyName } from '../../test-case/test-case.js';

export type SequenceStep = Command | { wait_ms: number } | { together: Command[] };
export type Sequence = readonly SequenceStep[];

/** Numbers of the sequences of a search, from 1. Those of `alone` run one by one, since they change settings of the whole account. */
export function listSequenceNumbers(
  sequences: number,
  shard?: Shard,
): Record<'together' | 'alone', number[]> {
  const numbers = Array.from({ length: sequences }, (_, index) => index + 1);
  const isAlone = (number: number) => number % 8 === 0;
  return {
    together: selectShard(
      numbers.filter((number) => !isAlone(number)),
      shard,
    ),
    alone: selectShard(numbers.filter(isAlone), shard),
  };
}

export function countSequences(sequences: number, shard: Shard | undefined): number {
  const { together, alone } = listSequenceNumbers(sequences, shard);
  return together.length + alone.length;
}

/** Tasks and sessions that one sequence creates, at most. */
export const TASKS_OF_SEQUENCE = 6;

export function isWait(step: SequenceStep): step is { wait_ms: number } {
  return 'wait_ms' in step;
}

export function listCommands(step: SequenceStep): readonly Command[] {
  if (isWait(step)) return [];
  return 'together' in step ? step.together : [step];
}

/** A step that sends the commands concurrently; none for an empty list. */
export function createSteps(commands: readonly Command[]): SequenceStep[] {
  return commands.length > 1 ? [{ together: [...commands] }] : [...commands];
}

/** Whether the resource exists within a workspace. */
export function isWithinWorkspace({ kind }: Resource): boolean {
  const removal = resources[kind].remove?.[0];
  return removal !== undefined && operations[removal].params.some(({ name }) => name === 'workspace-id');
}

/** Adds the required parameters that identify the resource, unless the request sets them itself. */
function fillResourceNames(
  operation: OperationId,
  { label }: Pick<Resource, 'label'>,
  fields: Partial<Command> = {},
): Partial<Command> {
  const named = { path: { ...fields.path }, query: { ...fields.query }, headers: { ...fields.headers } };
  for (const { name, in: where, required } of operations[operation].params as readonly OperationParameter[]) {
    const place = named[where === 'header' ? 'headers' : where];
    if (required && !(name in place)) place[name] = `{{${label}.${name}}}`;
  }
  const filled = Object.entries(named).filter(([, each]) => Object.keys(each).length > 0);
  return { ...fields, ...Object.fromEntries(filled) };
}

/** A request with this key, about the resource if there is one. */
export function createCommand(
  operation: OperationId,
  resource: Resource | undefined,
  key: KeyName,
  fields: Partial<Command> = {},
): Command {
  return {
    operation,
    ...(resource && { on: resource.label }),
    ...(operations[operation].auth === 'none' ? { key: null } : key !== 'main' && { key }),
    condition: 'plain',
    ...(resource ? fillResourceNames(operation, resource, fields) : fields),
  };
}

/** Commands that remove the resource, and what was created with it. */
export function createRemovals(resource: Resource): Command[] {
  const [own, ...others] = resources[resource.kind].remove ?? [];
  const isOver = resource.state === 'gone' || resource.state === 'over';
  return [...(own && !isOver ? [own] : []), ...others].map((operation) => ({
    operation,
    key: resource.key,
    ...fillResourceNames(operation, resource),
    condition: 'removal',
  }));
}
