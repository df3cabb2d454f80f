import type {
  HeaderParams,
  JsonBody,
  OperationId,
  PathParams,
  QueryParams,
  SuccessBody,
} from '../../spec/types.js';
import type { RequestContext } from './context.js';

export interface FilePart {
  /** Name of the form field. */
  part: string;
  filename: string;
  type: string;
  bytes: Uint8Array;
}

export interface Parts {
  files: FilePart[];
  /** Text fields; if a name repeats, the last one counts. */
  texts: Readonly<Record<string, string>>;
}

/** The request as a handler gets it: validated, with defaults, typed by the operation. */
export interface Context<Op extends OperationId> extends RequestContext {
  path: PathParams<Op>;
  query: QueryParams<Op>;
  header: HeaderParams<Op>;
  body: JsonBody<Op>;
}

const NO_HEADERS = Object.freeze({});

/** A response with its own status, or with a body that is already JSON text. */
export class HandlerResponse {
  constructor(
    readonly status: number,
    readonly text: string,
    /** Added to the headers of every response. */
    readonly headers: Readonly<Record<string, string>> = NO_HEADERS,
  ) {}
}

/** A success body (HTTP 200) or a `HandlerResponse`. */
type HandlerResult<Op extends OperationId> = SuccessBody<Op> | HandlerResponse;

type Handler<Op extends OperationId> = (
  context: Context<Op>,
) => HandlerResult<Op> | Promise<HandlerResult<Op>>;

/** One handler for each operation: a missing or mistyped one does not compile. */
export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
