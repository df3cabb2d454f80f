import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isCall, isResult, listEvents } from '../operators/events.js';
import { createRefusal, isRecord, MutantResponse } from '../operators/mutant-response.js';

/** Faults that show with an unusual value, in a long log, or in a state that a sequence rarely reaches. */
export const valueAndStateMutants: readonly ConditionalMutant[] = [
  conditionalMutant('null-body-500', 'ERROR-01', 'value', 'An event of the body null fails.', {
    of: 'sendTaskEvent',
    when: ({ body }) => body === 'null',
    request: () => createRefusal(500),
  }),
  conditionalMutant('empty-list-body-taken', 'ERROR-01', 'value', 'A profile is created by the body [].', {
    of: 'createProfile',
    when: ({ body }) => body === '[]',
    request: () => new MutantResponse(200, { r: { id: 'profile' } }),
  }),
  conditionalMutant(
    'tool-name-in-small-letters',
    'TOOL-11',
    'value',
    'A call names its tool in small letters.',
    {
      of: 'getTask',
      response: (response) => {
        for (const { payload } of listEvents(response).filter(isCall))
          payload.name = String(payload.name).toLowerCase();
      },
    },
  ),
  conditionalMutant(
    'member-name-event-unanswered',
    'EVENT-08',
    'value',
    'An action whose id names a member of every object has no result.',
    {
      of: 'getTask',
      response: (response) => {
        const isNamed = ({ id }: { id: string }) => id.includes('__proto__');
        response.record.events = listEvents(response).filter((event) => !isResult(event) || !isNamed(event));
      },
    },
  ),
  conditionalMutant(
    'control-characters-of-sop-dropped',
    'SOP-02',
    'value',
    'A SOP is saved without the control characters of its texts.',
    {
      of: 'saveSop',
      request: (request) => {
        const text = String(request.body).replace(/\\u00[01]./g, '');
        if (text !== request.body) request.body = text;
      },
    },
  ),
  conditionalMutant('twenty-events-at-once', 'POLL-04', 'bound', 'A poll from 0 lists the last 20 events.', {
    of: 'getTask',
    when: ({ since }) => since === 0,
    response: (response) => {
      response.record.events = listEvents(response).slice(-20);
    },
  }),
  conditionalMutant(
    'small-cursor-in-seconds',
    'POLL-03',
    'value',
    'An event_t below 10^10 is read as seconds.',
    {
      of: 'getTask',
      when: ({ since }) => since > 0 && since < 1e10,
      request: (request) => request.query.set('event_t', String(1000 * request.since)),
    },
  ),
  conditionalMutant('largest-cursor-is-none', 'POLL-03', 'value', 'An event_t beyond 2^52 is ignored.', {
    of: 'getTask',
    when: ({ since }) => since > 2 ** 52,
    request: (request) => request.query.set('event_t', '0'),
  }),
  conditionalMutant(
    'fourth-action-at-work-lost',
    'EVENT-08',
    'requests at once',
    'An action that is sent while three others are under way has no result.',
    () => {
      const lost = new Set<unknown>();
      return {
        of: ['sendTaskEvent', 'getTask'],
        request: (request, past) => {
          const others = [...past.pending].filter(
            (other) => other !== request && other.is('sendTaskEvent') && other.task === request.task,
          );
          if (request.is('sendTaskEvent') && others.length > 2) lost.add(request.json.id);
        },
        response: (response, request) => {
          if (request.is('getTask'))
            response.record.events = listEvents(response).filter(({ id }) => !lost.has(id));
        },
      };
    },
  ),
  conditionalMutant(
    'foreign-file-500',
    'TASK-14',
    'another key',
    'A task with the file of another organisation fails.',
    {
      of: 'createTask',
      when: ({ key, json }, past) =>
        past
          .listSucceededByAll('uploadFile')
          .some(
            ({ request, response }) =>
              request.key !== key && Array.isArray(json.files) && json.files.includes(response.record.id),
          ),
      request: () => createRefusal(500),
    },
  ),
  conditionalMutant(
    'escaped-reference-500',
    'TASK-11',
    'value',
    'A task fails if its response_model has a reference with an escaped slash.',
    {
      of: 'createTask',
      when: ({ json }) => JSON.stringify(json.response_model)?.includes('~1') === true,
      request: () => createRefusal(500),
    },
  ),
  conditionalMutant(
    'reply-with-empty-member-name-500',
    'TOOL-09',
    'value',
    'A reply fails if a member of its output has an empty name.',
    {
      of: 'sendTaskEvent',
      when: ({ payload }) => hasEmptyName(payload.output),
      request: () => createRefusal(500),
    },
  ),
];

function hasEmptyName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasEmptyName);
  return isRecord(value) && ('' in value || Object.values(value).some(hasEmptyName));
}
