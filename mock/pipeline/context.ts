import type {
  HeaderParams,
  JsonBody,
  OperationId,
  PathParams,
  QueryParams,
  SuccessBody,
} from '../../spec/types.js';
import type { Organisation } from '../engine/organisation.js';
import type { LateNote } from '../journal/journal-entry.js';

/** An uploaded part of a multipart body. */
export interface FilePart {
  /** Name of the form field. */
  part: string;
  filename: string;
  type: string;
  bytes: Uint8Array;
}

export interface Parts {
  files: FilePart[];
  /** Text fields; the last of a name counts. */
  texts: Readonly<Record<string, string>>;
}

/** Everything a handler gets: validated, defaults filled in, typed by the operation. */
export interface Context<Op extends OperationId> {
  organisation: Organisation;
  /** ms of the organisation's clock. */
  now: number;
  path: PathParams<Op>;
  query: QueryParams<Op>;
  header: HeaderParams<Op>;
  body: JsonBody<Op>;
  /** Of a multipart body; empty for others. */
  parts: Parts;
  /** Value of `x-taskdouble-scenario`. */
  scenario: string | undefined;
  /** For endpoints without auth: the organisation that holds what the request names. The key's own comes first. */
  owner(holds: (organisation: Organisation) => boolean): Organisation | undefined;
  /**
   * Settles when `until` gives true (looked at after each change of the task) or `at_most_ms` have passed; with false
   * when the client has gone meanwhile.
   */
  waitFor(until: () => boolean, at_most_ms: number): Promise<boolean>;
  /** Says which task this exchange made. */
  concerns(task: string): void;
  /** A line for the journal that costs something to make: made when somebody reads it. */
  noteLater(make: LateNote, request: Readonly<Record<string, unknown>>): void;
  /** A line for the journal's entry of this exchange. */
  note(text: string): void;
}

/** An answer with a status of its own, or with a body that has been made into text before. */
export class Answer<Body> {
  private constructor(
    readonly status: number,
    readonly body: Body | undefined,
    readonly text: string | undefined,
    readonly headers: Readonly<Record<string, string>> | undefined,
  ) {}

  static of<Body>(status: number, body: Body, headers?: Readonly<Record<string, string>>): Answer<Body> {
    return new Answer(status, body, undefined, headers);
  }

  /** `text` must be the JSON of a `Body`: see `JsonText`. */
  static ofText<Body>(status: number, text: JsonText<Body>): Answer<Body> {
    return new Answer<Body>(status, undefined, text, undefined);
  }
}

/** JSON text that remembers what it is the text of. */
export type JsonText<Body> = string & { readonly of?: Body };

export function toJsonText<Body>(body: Body): JsonText<Body> {
  return JSON.stringify(body);
}

/** A success body (HTTP 200) or an `Answer`. */
export type Outcome<Op extends OperationId> = SuccessBody<Op> | Answer<SuccessBody<Op>>;

export type Handler<Op extends OperationId> = (context: Context<Op>) => Outcome<Op> | Promise<Outcome<Op>>;

/** One handler for each operation: a missing or mistyped one does not compile. */
export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
