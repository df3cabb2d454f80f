import type { Dialect } from '../../spec/dialect.js';
import { quote } from '../../spec/show.js';

/** An error response. Section "Errors". */
export class ApiError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429,
    /** What was expected, what was found, what to do. */
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    // The detail describes the error. Capturing a stack would cost more than the rest of the response.
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

/** Input that does not match the description. Section "Errors", code 422. */
export class InvalidInput extends ApiError {
  constructor(readonly problems: InputProblem[]) {
    super(422, problems.map((problem) => `${problem.loc.join('.')}: ${problem.msg}`).join('; '));
    this.name = 'InvalidInput';
  }
}

export function createBodyError(msg: string, type: string): InvalidInput {
  return new InvalidInput([{ loc: ['body'], msg, type }]);
}

export function createInputError(loc: InputProblem['loc'], msg: string, type: string): InvalidInput {
  return new InvalidInput([{ loc, msg, type }]);
}

/** Throws ApiError with the status that the dialect chooses at an open point; returns if the dialect accepts it. */
export function refuseByDialect({ dialect }: { dialect: Dialect }, point: string, detail: string): void {
  const status = dialect[point];
  if (status === '400' || status === '404') throw new ApiError(Number(status) as 400 | 404, detail);
}

/** 404. `name` is an id, or a `t`. `where`: the place that was searched; absent for a request without a key. */
export function createNotFoundError(
  kind: string,
  name: string | number,
  where = 'in this organisation',
): ApiError {
  const named = typeof name === 'number' ? `with t=${name}` : quote(name);
  return new ApiError(404, `There is no ${kind} ${named}${where === '' ? '' : ` ${where}`}.`);
}

/** A request to the control API of a mock that cannot be fulfilled. */
export class MockError extends Error {
  constructor(
    /** `missing`: the named object does not exist. `taken`: its name is in use. `invalid`: the request makes no sense. */
    readonly kind: 'missing' | 'taken' | 'invalid',
    /** What was expected, what was given, what to do. */
    message: string,
  ) {
    super(message);
    this.name = 'MockError';
  }
}
