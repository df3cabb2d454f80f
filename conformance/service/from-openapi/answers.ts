import type { RequirementId } from '../../../spec/generated/documents.js';
import { type Operation, operations } from '../../../spec/generated/operations.js';
import type { Probe } from '../cases/test-case.js';
import type { Answer, Sending } from '../http-client/response.js';
import type { Sampler } from '../request-builders/builder.js';
import { samplers } from '../request-builders/index.js';
import { type Kit, said, withKit } from '../request-builders/tracker.js';
import { attempt, costs, everyOperation, nameOf, notServed, valid } from './attempt.js';
import { ownRequirement } from './own-requirement.js';
import { misfit, statedAnswer } from './stated.js';

/** For each operation: a valid request succeeds, and what is answered has the shape that the API states. */
export const answerProbes: readonly Probe[] = everyOperation.map((operation) => {
  const { id, deprecated, envelope } = operation;
  const covers: RequirementId[] = ['SERVICE-02'];
  if (ownRequirement[id].seen) covers.unshift(ownRequirement[id].id);
  if (envelope) covers.push('ENV-01');
  if (deprecated) covers.push('VERSION-04');
  if (provesPath(operation)) covers.push('VERSION-01');
  return {
    id: `resources/${id}-answer`,
    title: `${nameOf(id)} does its work and answers as described`,
    covers,
    ...costs(id, 1),
    run: (probing) => withKit(probing, (kit) => run(kit, operation, covers)),
  };
});

async function run(kit: Kit, operation: Operation, covers: readonly RequirementId[]): Promise<void> {
  const { id } = operation;
  const sampler = samplers[id];
  const { sending, answer } = await valid(kit, id, await sampler.make(kit));
  if (!answer.ok) return refused(kit, operation, answer);
  if (!holds(kit, operation, answer)) return;
  const contrast = await contrasting(kit, operation, sampler, sending);
  if (contrast.ok || contrast.status === answer.status)
    return kit.probing.inconclusive(
      `a request that should not succeed is answered in the same way (${said(contrast)}), so that the success shows nothing`,
    );
  for (const requirement of covers) {
    // An answer without a body is no JSON, and nothing against it either.
    if (requirement === 'SERVICE-02' && answer.text === '') continue;
    kit.probing.expect(requirement, true, '', answer);
  }
}

/** The same request by nobody, or for nothing where no key is asked for. */
function contrasting(kit: Kit, { id, auth }: Operation, sampler: Sampler, sending: Sending): Promise<Answer> {
  if (auth === 'none' && sampler.stranger) return attempt(kit, id, sampler.stranger(kit));
  return attempt(kit, id, sending, { key: null });
}

/** Statuses that refuse what is in a request. */
const REFUSALS = [400, 402, 409, 413, 415, 422];

/** There is nothing in a request for it but its path. */
function provesPath({ method, params }: Operation): boolean {
  return method === 'GET' && params.length === 0;
}

/** A valid request did not succeed. */
function refused(kit: Kit, operation: Operation, answer: Answer): void {
  const { id, deprecated } = operation;
  const { open } = samplers[id];
  const { status } = answer;
  const tolerated =
    open !== undefined && (REFUSALS.includes(status) || (open === 'lookup' && status === 404));
  if (tolerated || status === 403 || status === 429) notServed(kit, id, answer);
  const message = `${nameOf(id)}, as it should be, was expected to succeed; it was answered with ${said(answer)}`;
  kit.probing.broke(ownRequirement[id].id, message, answer);
  if (deprecated && [404, 405, 410, 501].includes(status)) kit.probing.broke('VERSION-04', message, answer);
  // Nothing was named that might not be there: it is the path that is not served.
  if (status === 404 && provesPath(operation)) kit.probing.broke('VERSION-01', message, answer);
}

/** Judges the body of a success. */
function holds(kit: Kit, operation: Operation, answer: Answer): boolean {
  const { probing } = kit;
  const { id, body2xx, envelope } = operation;
  const name = nameOf(id);
  if (body2xx === 'open' && answer.text === '') return true;
  if (answer.body === undefined) {
    probing.broke('SERVICE-02', `${name}: expected a body in JSON, got ${said(answer)}`, answer);
    return false;
  }
  if (envelope && answer.r === undefined) {
    probing.broke('ENV-01', `${name}: expected an object with the field "r", got ${said(answer)}`, answer);
    return false;
  }
  const found = misfit(envelope ? answer.r : answer.body, answersOf(operation));
  if (found) probing.broke(ownRequirement[id].id, `${name}: ${found}`, answer);
  return !found;
}

const known = new Map(Object.values(operations).map((operation) => [operation.id, statedAnswer(operation)]));

function answersOf({ id }: Operation) {
  return known.get(id)!;
}
