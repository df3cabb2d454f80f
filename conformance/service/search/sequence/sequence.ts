import type { RequirementId } from '../../../../spec/generated/documents.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import type { KeyName } from '../../test-case/test-case.js';

/**
 * A value of a request. In its texts `{{p1.profile_id}}` is what a response named (`p1` is a command's `as`), `{{word.title03}}`
 * a text that nothing else has. `{{p1.profile_id|longer}}` is an id that is nearly right.
 */
export type Template = string | number | boolean | null | readonly Template[] | { [name: string]: Template };

/** A part of a form: a text, or a file with a content (`zip`: an archive with an empty extension). */
export type FormField =
  | { name: string; text: string }
  | { name: string; file: string; content: string; type?: string };

/** One request, as plain data: the same sequence can be sent again, to another service too. */
export interface Command {
  operation: OperationId;
  /** What a success creates is called so in later commands. */
  as?: string;
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, Template>>;
  headers?: Readonly<Record<string, string>>;
  body?: Template;
  form?: readonly FormField[];
  /** Whose key; null sends none; `unknown` sends one that is not valid. Default `main`. */
  key?: KeyName | 'unknown' | null;
  keyIn?: 'cookie';
  /** What is special about it: `similar id: longer`. */
  condition: string;
  /** The label of the thing that the request names. */
  on?: string;
  /** It does not get to that thing: it has an id that is nearly right, the key of a stranger, or names another workspace. */
  astray?: 'similar' | 'stranger' | 'elsewhere';
  /** The input breaks what the description states: the requirement that a refusal keeps. */
  invalid?: RequirementId;
  /** The description leaves open whether a service accepts it. */
  open?: true;
  /** The requirement that a refusal breaks, where it is not that of the operation. */
  accepted?: RequirementId;
}

export type SequenceStep = Command | { wait_ms: number } | { together: Command[] };
export type Sequence = readonly SequenceStep[];

/** Tasks and sessions that one sequence creates, at most. */
export const TASKS_OF_SEQUENCE = 6;

export function isWait(step: SequenceStep): step is { wait_ms: number } {
  return 'wait_ms' in step;
}

export function listCommands(step: SequenceStep): readonly Command[] {
  if (isWait(step)) return [];
  return 'together' in step ? step.together : [step];
}

/** The step that sends these at once; none where there are none. */
export function createSteps(commands: readonly Command[]): SequenceStep[] {
  return commands.length > 1 ? [{ together: [...commands] }] : [...commands];
}
