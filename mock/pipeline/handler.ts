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

/** What a handler sees of a request: validated, defaults filled in, typed by the operation. `RequestContext` holds it. */
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
  /** For operations without authentication: the organisation that holds what the request names. The key's own comes first. */
  owner(holds: (organisation: Organisation) => boolean): Organisation | undefined;
  /**
   * Settles when `until` gives true (checked after each change of the task) or `at_most_ms` have passed; with false
   * when the client has disconnected meanwhile.
   */
  waitFor(until: () => boolean, at_most_ms: number): Promise<boolean>;
  /** Names the task that this exchange made. */
  concerns(task: string): void;
  /** A line for the journal that is expensive to make: made when the journal is read. */
  noteLater(make: LateNote, request: Readonly<Record<string, unknown>>): void;
  /** A line for the journal's entry of this exchange. */
  note(text: string): void;
}

/** A response with a status of its own, or with a body that is JSON text already. */
export class HandlerResponse<Body> {
  /** `text` must be the JSON of a `Body`: see `JsonText`. */
  constructor(
    readonly status: number,
    readonly text: JsonText<Body>,
  ) {}
}

/** JSON text that remembers the type of its value. */
export type JsonText<Body> = string & { readonly of?: Body };

/** A success body (HTTP 200) or a `HandlerResponse`. */
export type HandlerResult<Op extends OperationId> = SuccessBody<Op> | HandlerResponse<SuccessBody<Op>>;

export type Handler<Op extends OperationId> = (
  context: Context<Op>,
) => HandlerResult<Op> | Promise<HandlerResult<Op>>;

/** One handler for each operation: a missing or mistyped one does not compile. */
export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
