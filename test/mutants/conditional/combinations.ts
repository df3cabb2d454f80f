import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isCall, isOver, isResult, listEvents } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, isRecord } from '../operators/mutant-response.js';
import type { RequestHistory } from '../operators/request-history.js';

/** Faults that show where two features meet. */
export const combinationMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'reply-after-refused-400',
    'TOOL-09',
    'order',
    'A reply to a call is refused where another to the same call was refused before.',
    {
      of: 'sendTaskEvent',
      when: (request, past) =>
        request.json.name === 'tool_call' &&
        past
          .listSent(request, 'sendTaskEvent')
          .some(({ request: { json }, response }) => json.id === request.json.id && !response.ok),
      request: () => createRefusal(400, 'This call has its reply.'),
    },
  ),
  conditionalMutant(
    'reply-after-stop-makes-done',
    'POLL-08',
    'order',
    'A task that gets a reply after it was stopped is done.',
    {
      of: 'getTask',
      response: ({ record }, request, past) => {
        const [stop] = past.listAbout(request, 'deleteTask');
        const isLate = past
          .listSent(request, 'sendTaskEvent')
          .some((each) => each.request.task === request.task && stop !== undefined && each.at >= stop.at);
        if (isOver(record) && isLate && listReplies(request, past).length > 0) record.status = 'done';
      },
    },
  ),
  conditionalMutant(
    'tools-of-newest-task',
    'TOOL-11',
    'several things',
    'A task calls the first tool of the newest task that has tools.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const newest = past
          .listSucceeded(request, 'createTask')
          .findLast((each) => Array.isArray(each.request.json.custom_tools));
        const [tool] = (newest?.request.json.custom_tools ?? []) as { name: string }[];
        for (const { payload } of listEvents(response).filter(isCall)) if (tool) payload.name = tool.name;
      },
    },
  ),
  conditionalMutant(
    'error-reply-is-output',
    'TASK-04',
    'parameters together',
    'The output of a task with a response_model is that of a reply with an error code.',
    {
      of: 'getTask',
      when: (request, past) => isRecord(past.readTask(request).creation?.request.json.response_model),
      response: ({ record }, request, past) => {
        const failed = listReplies(request, past).find(({ payload }) => payload.code !== 200);
        if (record.status === 'done' && failed) record.output = failed.payload.output;
      },
    },
  ),
  conditionalMutant(
    'both-keys-401',
    'AUTH-03',
    'parameters together',
    'A request with the key in the header and in the cookie is refused.',
    {
      of: ['getUsage', 'listTasks', 'listProfiles'],
      when: ({ headers }) => headers.apikey !== undefined && headers.cookie !== undefined,
      request: () => createRefusal(401, 'There are two keys.'),
    },
  ),
  conditionalMutant(
    'downloads-without-new-events',
    'POLL-03',
    'parameters together',
    'A poll with downloads and an event_t lists no events.',
    {
      of: 'getTask',
      when: ({ query }) => query.get('downloads') === 'true' && Number(query.get('event_t') ?? 0) > 0,
      response: ({ record }) => {
        record.events = [];
      },
    },
  ),
  conditionalMutant(
    'session-with-profile-takes-no-action',
    'SESSION-01',
    'parameters together',
    'A session with a profile refuses every action.',
    {
      of: 'sendTaskEvent',
      when: (request, past) => {
        const { task, profile_id } = past.readTask(request).creation?.request.json ?? {};
        return task === null && typeof profile_id === 'string';
      },
      request: () => createRefusal(400, 'This is no session.'),
    },
  ),
  conditionalMutant(
    'long-script-value-cut',
    'EVENT-12',
    'bound',
    'The text that a script results in ends after 256 characters.',
    {
      of: 'getTask',
      response: (response) => {
        for (const { payload } of listEvents(response).filter(isResult)) {
          const holder = isRecord(payload.output) ? payload.output : payload;
          if (typeof holder.output === 'string') holder.output = holder.output.slice(0, 256);
        }
      },
    },
  ),
];

/** Replies to calls of the task, oldest first. */
function listReplies(request: MutantRequest, past: RequestHistory): MutantRequest[] {
  return past
    .listSent(request, 'sendTaskEvent')
    .map((each) => each.request)
    .filter(({ task, json }) => task === request.task && json.name === 'tool_call');
}
