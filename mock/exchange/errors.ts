import type { Dialect } from '../../spec/dialect.js';
import { quote } from '../../spec/show.js';

/** An error response. Section "Errors". */
export class ApiError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429,
    /** What was expected, what came, what to do. */
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    // The detail says what is wrong. To capture a stack costs more than the rest of the response.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ApiError';
  }
}

/** One problem of the input; the status is 422. */
export interface InputProblem {
  /** `['body', 'custom_tools', 0, 'name']`, `['query', 'l']`, … */
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** Input that does not fit the description. Section "Errors", code 422. */
export class InvalidInput extends ApiError {
  constructor(readonly problems: InputProblem[]) {
    super(422, problems.map((problem) => `${problem.loc.join('.')}: ${problem.msg}`).join('; '));
    this.name = 'InvalidInput';
  }
}

/** A body that is wrong as a whole. */
export function createBodyError(msg: string, type: string): InvalidInput {
  return new InvalidInput([{ loc: ['body'], msg, type }]);
}

/** Input with one problem. */
export function createInputError(loc: InputProblem['loc'], msg: string, type: string): InvalidInput {
  return new InvalidInput([{ loc, msg, type }]);
}

/** Throws ApiError with the status that the dialect chooses at an open point; returns where it refuses nothing. */
export function refuseByDialect({ dialect }: { dialect: Dialect }, point: string, detail: string): void {
  const status = dialect[point];
  if (status === '400' || status === '404') throw new ApiError(Number(status) as 400 | 404, detail);
}

/** 404. `name` is an id, or a `t`. `where` says where it was looked for: nothing where the request has no key. */
export function createNotFoundError(
  kind: string,
  name: string | number,
  where = 'in this organisation',
): ApiError {
  const named = typeof name === 'number' ? `with t=${name}` : quote(name);
  return new ApiError(404, `There is no ${kind} ${named}${where === '' ? '' : ` ${where}`}.`);
}
