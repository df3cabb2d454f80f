import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isCall, isResult, listEvents } from '../operators/events.js';
import { createRefusal, isRecord, MutantResponse } from '../operators/mutant-response.js';

/** Faults that show with a value, a second resource, an order or a reading that the cases of the suite once lacked. */
export const unseenDimensionMutants: readonly ConditionalMutant[] = [
  conditionalMutant('deep-result-cut', 'EVENT-12', 'value', 'A deep member of a result is a text.', {
    of: 'getTask',
    response: (response) => {
      for (const { payload } of listEvents(response).filter(isResult))
        payload.output = cutDeep(payload.output);
    },
  }),
  conditionalMutant(
    'profiles-of-longer-ids-deleted',
    'PROFILE-04',
    'similar id',
    'The deletion of a profile deletes those whose ids begin with its id.',
    {
      of: 'deleteProfile',
      response: async (_, request, past, forward) => {
        const id = request.path.get('profile_id')!;
        const all = past.listSucceeded(request, 'createProfile').map((each) => String(each.request.json.id));
        for (const other of all.filter((each) => each !== id && each.startsWith(id)))
          await forward(request.derive('DELETE', `/profile/${encodeURIComponent(other)}`));
      },
    },
  ),
  conditionalMutant(
    'files-beside-profile-refused',
    'TASK-11',
    'parameters together',
    'A task with files and a profile is refused.',
    {
      of: 'createTask',
      when: ({ json }) => Array.isArray(json.files) && json.files.length > 0 && json.profile_id != null,
      request: () => createRefusal(404),
    },
  ),
  conditionalMutant('call-after-cancel', 'TASK-17', 'later', 'A cancelled task calls its tool once more.', {
    of: 'getTask',
    response: (response, request, past) => {
      const { polls } = past.readTask(request);
      const isLate = polls.some((each) => each.response.record.status === 'cancelled');
      const call = polls.flatMap((each) => listEvents(each.response)).find(isCall);
      if (response.record.status !== 'cancelled' || !isLate || !call) return;
      const timestamp = past.now() + 1;
      response.record.events = [...listEvents(response), { ...call, id: `${call.id}-2`, timestamp }];
    },
  }),
  conditionalMutant(
    'tasks-of-all-listed-with-t',
    'SERVICE-04',
    'parameters together',
    'With t, the tasks of the first organisation are listed for all.',
    {
      of: 'listTasks',
      when: ({ query }) => query.has('t'),
      request: (request, past) => {
        request.key = past.listSucceededByAll('createTask')[0]?.request.key ?? request.key;
      },
    },
  ),
  conditionalMutant(
    'event-id-cut',
    'EVENT-08',
    'similar id',
    'An action whose id has the same first 16 characters as that of another one counts as its repetition.',
    {
      of: 'sendTaskEvent',
      when: (request, past) =>
        past.readTask(request).actions.some(({ request: { json } }) => {
          const [id, other] = [String(request.json.id), String(json.id)];
          return id !== other && id.length === other.length && id.slice(0, 16) === other.slice(0, 16);
        }),
      request: ({ json: { id } }) => new MutantResponse(200, { r: { id } }),
    },
  ),
  conditionalMutant('reply-of-any-id-taken', 'TOOL-01', 'similar id', 'Any reply counts for the open call.', {
    of: 'sendTaskEvent',
    when: ({ json }) => json.name === 'tool_call',
    request: (request, past) => {
      const { events, replies } = past.readTask(request);
      const calls = events.filter(isCall);
      if (calls.some(({ id }) => id === request.json.id)) return;
      const open = calls.find(({ id }) => !replies.some((each) => each.request.json.id === id));
      if (open) request.json = { ...request.json, id: open.id };
    },
  }),
  conditionalMutant(
    'large-minimum-ignored',
    'TOOL-02',
    'bound',
    'A number of an input above 1000 is lessened.',
    {
      of: 'getTask',
      response: (response) => {
        for (const { payload } of listEvents(response).filter(isCall))
          if (isRecord(payload.input))
            for (const [name, value] of Object.entries(payload.input))
              if (typeof value === 'number' && value > 1000) payload.input[name] = 50;
      },
    },
  ),
  conditionalMutant(
    'tool-data-of-any-tool',
    'CHAT-11',
    'similar id',
    'The data of a call are read under the name of any tool.',
    {
      of: 'getToolData',
      error: (_, request, past) =>
        past
          .listSucceededByAll('getToolData')
          .find((each) => each.request.path.get('id') === request.path.get('id'))
          ?.response.copy(),
    },
  ),
  conditionalMutant('message-cut-at-line', 'CHAT-08', 'value', 'A message ends with its first line.', {
    of: 'createMessage',
    when: ({ body }) => body instanceof FormData,
    request: (request) => {
      const form = new FormData();
      for (const [name, part] of request.body as FormData)
        if (typeof part === 'string') form.append(name, part.split('\n')[0]!);
        else form.append(name, part, part.name);
      request.body = form;
    },
  }),
  conditionalMutant(
    'file-id-by-name',
    'FILE-01',
    'similar id',
    'A file has the id of the one with the same name.',
    {
      of: 'uploadFile',
      response: (response, request, past) => {
        const readName = (body: unknown) => {
          const part = body instanceof FormData ? body.get('file') : null;
          return part instanceof File ? part.name : undefined;
        };
        const name = readName(request.body);
        const all = name === undefined ? [] : past.listSucceeded(request, 'uploadFile');
        const same = all.find((each) => readName(each.request.body) === name);
        if (same && name !== 'hello.txt') response.record.id = same.response.record.id;
      },
    },
  ),
  conditionalMutant(
    'automation-removed-from-any-workspace',
    'AUTO-03',
    'similar id',
    'An automation is deleted whichever workspace is named.',
    {
      of: 'deleteAutomation',
      request: (request, past) => {
        const id = request.query.get('id');
        const all = past.listSucceeded(request, 'createAutomation');
        const home = all.find((each) => each.response.record.id === id)?.request.headers['workspace-id'];
        if (home !== undefined) request.headers['workspace-id'] = home;
      },
    },
  ),
  conditionalMutant(
    'action-before-close-lost',
    'EVENT-08',
    'order',
    'A session has no result of the actions at work when it was closed.',
    () => {
      const lost = new Set<unknown>();
      return {
        of: ['sendTaskEvent', 'getTask'],
        request: (request, past) => {
          if (request.is('getTask') || request.payload.name !== 'close') return;
          for (const action of past.readTask(request).openActions)
            if (action.request.payload.name !== 'close') lost.add(action.request.json.id);
        },
        response: (response, request) => {
          if (request.is('getTask'))
            response.record.events = listEvents(response).filter(({ id }) => !lost.has(id));
        },
      };
    },
  ),
];

function cutDeep(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 4) return '[Object]';
  if (Array.isArray(value)) return value.map((each) => cutDeep(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutDeep(each, depth + 1)]));
}
