import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { KeyName } from '../test-case/test-case.js';

/** A value from a response. */
export type Name = string | number | boolean;

/**
 * A value of a request. In texts, `{{p1.profile_id}}` is a value from a response (`p1` is the `as` of a command),
 * `{{word.title03}}` a unique text, and `{{p1.profile_id|longer}}` a similar id.
 */
export type Template = string | number | boolean | null | readonly Template[] | { [name: string]: Template };

/** A form part: a text, or a file with its content (`zip`: an archive with an empty extension). */
export type FormField =
  | { name: string; text: string }
  | { name: string; file: string; content: string; type?: string };

/** One request as plain data, so that a sequence can be replayed, also against another service. */
export interface Command {
  operation: OperationId;
  /** The label of the created resource in later commands. */
  as?: string;
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, Template>>;
  headers?: Readonly<Record<string, string>>;
  body?: Template;
  form?: readonly FormField[];
  /** The account whose key is sent; null sends none, `unknown` an invalid one. Default `main`. */
  key?: KeyName | 'unknown' | null;
  keyIn?: 'cookie';
  /** What distinguishes the request from a plain one: `similar id: longer`. */
  condition: string;
  /** The label of the resource that the request names. */
  on?: string;
  /**
   * The request must not reach the resource: it has a similar id, the key of another organisation, or names another workspace.
   */
  astray?: 'similar' | 'stranger' | 'elsewhere';
  /** The input is invalid: the requirement that a refusal meets. */
  invalid?: RequirementId;
  /** The description leaves open whether a service accepts it. */
  open?: true;
  /** The requirement that a refusal breaks, if it is not that of the operation. */
  accepted?: RequirementId;
}
