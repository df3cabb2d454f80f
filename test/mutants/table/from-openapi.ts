import { findMismatch, readResultSchema } from '../../../conformance/rules/stated-schema.js';
import { readRule } from '../../../conformance/service/operations/rules.js';
import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import type { Mutant } from '../mutant.js';
import { changeRequests, changeResponses, type Interception, mutant } from '../operators/make.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, MutantResponse } from '../operators/mutant-response.js';

const every: readonly Operation[] = Object.values(operations);

/** Without these there are no tasks: the smoke check ends the run before any check. */
const NEEDED_BY_ALL: readonly OperationId[] = ['createTask', 'getTask'];

/** Each makes a mutant of the operations that state a payload of another type. */
const PAYLOADS: Readonly<Record<string, unknown>> = {
  true: true,
  'an-object': {},
  'a-text': 'a text',
  null: null,
};

/** What can be wrong with any operation, for each operation of the API description. */
export const derivedMutants: readonly Mutant[] = every.flatMap((operation) => [
  ...createFailing(operation),
  ...createMisshapen(operation),
  ...createWithoutEnvelope(operation),
  ...createNotServed(operation),
  ...createAcceptingParameters(operation),
]);

/** `get-task`. */
function toDashed(id: OperationId): string {
  return id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function createFailing({ id }: Operation): Mutant[] {
  if (NEEDED_BY_ALL.includes(id)) return [];
  const breaks = `${id} is carried out and answered with 500.`;
  return [
    mutant(
      `${toDashed(id)}-500`,
      readRule(id).id,
      breaks,
      changeResponses(id, () => createRefusal(500)),
    ),
  ];
}

function createMisshapen(operation: Operation): Mutant[] {
  const { id, envelope } = operation;
  const stated = readResultSchema(operation);
  return Object.entries(PAYLOADS)
    .filter(([, payload]) => findMismatch(payload, stated) !== undefined)
    .map(([name, payload]) =>
      mutant(
        `${toDashed(id)}-answers-${name}`,
        readRule(id).id,
        `${id} is answered with ${name.replace('-', ' ')}.`,
        changeResponses(id, (response) => {
          if (envelope) response.r = payload;
          else response.body = payload;
        }),
      ),
    );
}

function createWithoutEnvelope({ id, envelope }: Operation): Mutant[] {
  if (!envelope) return [];
  const bare = changeResponses(id, (response) => {
    response.body = response.r ?? null;
  });
  return [mutant(`bare-${toDashed(id)}`, 'ENV-01', `${id} is answered without the envelope.`, bare)];
}

function createNotServed({ id, method, params, deprecated }: Operation): Mutant[] {
  const gone = changeRequests(id, () => createRefusal(410, 'This is gone.'));
  const moved = changeRequests(id, () => createRefusal(404, 'Not Found'));
  const isPathAlone = method === 'GET' && params.length === 0;
  return [
    ...(deprecated
      ? [mutant(`gone-${toDashed(id)}`, 'VERSION-04', `${id}, deprecated, is not served.`, gone)]
      : []),
    ...(isPathAlone
      ? [mutant(`moved-${toDashed(id)}`, 'VERSION-01', `${id} is not served below /api/v1.`, moved)]
      : []),
  ];
}

/** Takes a parameter that is missing, or of the wrong type, for the last valid one. */
function createAcceptingParameters({ id, params }: Operation): Mutant[] {
  return params.flatMap(({ name, in: where, required, type }) => {
    if (where === 'path') return [];
    const readValue = ({ headers, query }: MutantRequest) =>
      (where === 'header' ? headers[name] : query.get(name)) ?? '';
    const rule = where === 'header' ? 'CHAT-12' : 'ERROR-01';
    const without = mutant(
      `${toDashed(id)}-without-${name}`,
      rule,
      `${id} is served without ${name}.`,
      repeatLastSuccess(id, (request) => readValue(request) === ''),
    );
    const ofWrongType = mutant(
      `${toDashed(id)}-any-${name}`,
      'ERROR-01',
      `${id} is served whatever the type of ${name} is.`,
      repeatLastSuccess(
        id,
        (request) => /^[a-z]+$/.test(readValue(request)) && !/^(true|false)$/.test(readValue(request)),
      ),
    );
    return [...(required ? [without] : []), ...(type === 'string' ? [] : [ofWrongType])];
  });
}

/** Answers refused requests like the last one that succeeded. */
function repeatLastSuccess(
  id: OperationId,
  isConcerned: (request: MutantRequest) => boolean,
): () => Interception {
  return () => {
    let last: MutantResponse | undefined;
    return async (request, next) => {
      const response = await next(request);
      if (!request.is(id)) return response;
      if (response.ok) last = new MutantResponse(response.status, structuredClone(response.body));
      return response.status === 422 && last && isConcerned(request) ? last : response;
    };
  };
}
