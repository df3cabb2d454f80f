import { API_PREFIX } from '../../spec/vocabulary.js';
import { ApiError } from './errors.js';
import { errorAnswer } from './responses.js';
import type { Route, route } from './route.js';
import type { WireResponse } from './wire.js';

/** The answer to a request that no operation has the path and method of: it says what there is instead. */
export function noOperation(
  method: string,
  path: string,
  found: Exclude<ReturnType<typeof route>, Route>,
): WireResponse {
  if (found === 'malformed')
    return errorAnswer(new ApiError(404, `The path ${show(path)} has a broken percent-encoding.`));
  if (found === undefined) {
    const detail = `There is no operation at ${method} ${show(path)}. The API lives under ${API_PREFIX}.`;
    return errorAnswer(new ApiError(404, detail));
  }
  const allow = found.allowed.join(', ');
  return errorAnswer(
    new ApiError(405, `${method} is not allowed at ${show(path)}, only ${allow}.`, { allow }),
  );
}

function show(path: string): string {
  return path.length > 120 ? `${path.slice(0, 117)}...` : path;
}
