import type { Mutant } from '../mutant.js';
import { changeRequests, changeResponses, type Interception, mutant } from '../operators/make.js';
import { isRecord, MutantResponse } from '../operators/mutant-response.js';

const createConfirmation = () => new MutantResponse(200, { r: { id: 'taken' } });

/** POST /task/{task_id}/event: what it confirms and what it refuses. */
export const eventEndpointMutants: readonly Mutant[] = [
  mutant(
    'event-confirmed-without-id',
    'EVENT-03',
    'An event is confirmed without an id.',
    changeResponses('sendTaskEvent', (response) => {
      response.r = { sent: true };
    }),
  ),
  mutant(
    'event-confirmed-with-a-number',
    'EVENT-03',
    'An event is confirmed with a number as its id.',
    changeResponses('sendTaskEvent', (response) => {
      response.r = { id: 17 };
    }),
  ),
  mutant(
    'event-confirmed-with-another-id',
    'EVENT-03',
    'An event is confirmed with an id that is not its own.',
    changeResponses('sendTaskEvent', (response, request) => {
      if (typeof request.json.id === 'string') response.r = { id: `receipt-${request.json.id}` };
    }),
  ),
  mutant(
    'event-odd-name-accepted',
    'EVENT-05',
    'An event under another name is accepted.',
    acceptEvents(({ name }) => !['browser_action', 'session_action', 'tool_call'].includes(String(name))),
  ),
  mutant(
    'event-payload-list-accepted',
    'EVENT-05',
    'An event whose payload is a list is accepted.',
    acceptEvents(({ payload }) => Array.isArray(payload)),
  ),
  mutant(
    'event-payload-text-accepted',
    'EVENT-05',
    'An event whose payload is a text is accepted.',
    acceptEvents(({ payload }) => typeof payload === 'string'),
  ),
  mutant(
    'event-odd-name-500',
    'EVENT-05',
    'An event under another name is answered with 500.',
    refuseWith(500),
  ),
  mutant(
    'event-odd-name-404',
    'EVENT-05',
    'An event under another name is answered with 404.',
    refuseWith(404),
  ),
  mutant(
    'event-unknown-task-accepted',
    'ERROR-03',
    'An event to a task that does not exist is confirmed.',
    respondToUnknownTask(() => createConfirmation()),
  ),
  mutant(
    'event-unknown-task-400',
    'ERROR-03',
    'An event to a task that does not exist is answered with 400.',
    respondToUnknownTask(() => new MutantResponse(400, { detail: 'There is no such task.' })),
  ),
  mutant(
    'event-good-id-404',
    'EVENT-03',
    'Events to tasks that exist are answered with 404.',
    changeRequests('sendTaskEvent', () => new MutantResponse(404, { detail: 'There is no such task.' })),
  ),
  mutant(
    'event-needs-uuid',
    'EVENT-03',
    'An event is refused unless its id is a UUID.',
    changeRequests('sendTaskEvent', (request) => {
      const { id, name } = request.json;
      const odd = name !== 'tool_call' && typeof id === 'string' && !/^[0-9a-f]{8}-/i.test(id);
      return odd ? new MutantResponse(422, { detail: 'id must be a UUID' }) : undefined;
    }),
  ),
];

function acceptEvents(which: (event: Record<string, unknown>) => boolean): () => Interception {
  return changeRequests('sendTaskEvent', (request) => {
    const { json } = request;
    return 'name' in json && which(json) ? createConfirmation() : undefined;
  });
}

function refuseWith(status: number): () => Interception {
  return () => async (request, next) => {
    const response = await next(request);
    const { name, payload } = request.json;
    const odd =
      isRecord(payload) && !['browser_action', 'session_action', 'tool_call'].includes(String(name));
    if (request.is('sendTaskEvent') && response.status === 422 && odd) response.status = status;
    return response;
  };
}

function respondToUnknownTask(make: () => MutantResponse): () => Interception {
  return () => async (request, next) => {
    const response = await next(request);
    if (!request.is('sendTaskEvent') || response.status !== 404) return response;
    const known = await next(request.derive('GET', `/task/${request.task}`));
    return known.status === 404 ? make() : response;
  };
}
