import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { ConditionalMutant, ConditionKind } from '../mutant.js';
import { type Forward, mutant } from './make.js';
import type { MutantRequest } from './mutant-request.js';
import { MutantResponse } from './mutant-response.js';
import { RequestHistory } from './request-history.js';

type OneOrSeveral<T> = T | readonly T[];
/** Gives another response for the one there is, if it gives one; may be asynchronous. */
type Replacement = unknown;

/** What is wrong with some operations, and when. */
export interface ConditionalFault {
  of: OneOrSeveral<OperationId>;
  /** Where the request alone or what came before decides; else the changes look for themselves. */
  when?(request: MutantRequest, past: RequestHistory): boolean;
  /** Changes the request, or responds to it in place of the service. */
  request?(request: MutantRequest, past: RequestHistory, forward: Forward): Replacement;
  /** Changes a successful response. */
  response?(
    response: MutantResponse,
    request: MutantRequest,
    past: RequestHistory,
    forward: Forward,
  ): Replacement;
  /** Changes an error. */
  error?(
    response: MutantResponse,
    request: MutantRequest,
    past: RequestHistory,
    forward: Forward,
  ): Replacement;
}

/** A mutant whose fault shows under a condition alone. `makeFault` where the fault remembers something of its own. */
export function conditionalMutant(
  id: string,
  requirement: RequirementId,
  condition: ConditionKind,
  breaks: string,
  fault: ConditionalFault | (() => ConditionalFault),
): ConditionalMutant {
  const made = mutant(id, requirement, breaks, ({ now }) => {
    const { of, when, ...change } = typeof fault === 'function' ? fault() : fault;
    const operations = [of].flat();
    const past = new RequestHistory(now);
    return async (request, next) => {
      const isMet = request.is(...operations) && (when?.(request, past) ?? true);
      const done = { request: request.copy(), response: new MutantResponse(0, null), at: now() };
      past.pending.add(request);
      const forward: Forward = async (changed) => {
        const response = await next(changed);
        if (changed === request) done.response = response.copy();
        return response;
      };
      try {
        const early = isMet ? await change.request?.(request, past, forward) : undefined;
        if (early instanceof MutantResponse) {
          done.response = early.copy();
          return early;
        }
        const response = await forward(request);
        const later = response.ok ? change.response : change.error;
        const other = isMet ? await later?.(response, request, past, forward) : undefined;
        return other instanceof MutantResponse ? other : response;
      } finally {
        past.pending.delete(request);
        past.add(done);
      }
    };
  });
  return { ...made, condition };
}
