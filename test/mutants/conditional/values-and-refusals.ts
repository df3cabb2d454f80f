import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isCall, isResult, listEvents } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, isRecord, type LooseRecord } from '../operators/mutant-response.js';

/** Faults that show with one kind of value, after a refusal or a deletion, or with requests beside each other. */
export const valueAndRefusalMutants: readonly ConditionalMutant[] = [
  conditionalMutant('falsy-args-dropped', 'EVENT-12', 'value', 'Falsy args do not reach the script.', {
    of: 'sendTaskEvent',
    when: ({ payload: { input } }) => isRecord(input) && 'args' in input && !input.args,
    request: (request) => {
      const { input, ...payload } = request.payload;
      const { args: _, ...rest } = input as LooseRecord;
      request.json = { ...request.json, payload: { ...payload, input: rest } };
    },
  }),
  conditionalMutant(
    'part-with-parameter-refused',
    'SERVICE-02',
    'value',
    'A file is refused if its media type has a parameter.',
    {
      of: ['uploadFile', 'uploadExtension', 'uploadBrowserExtension'],
      when: ({ body }) => body instanceof FormData && [...body.values()].some((part) => hasParameter(part)),
      request: () => createRefusal(422),
    },
  ),
  conditionalMutant('plus-is-blank', 'PROFILE-04', 'value', 'A plus in the path of a profile is a blank.', {
    of: 'deleteProfile',
    when: ({ url }) => url.pathname.includes('%2B'),
    request: ({ url }) => {
      url.pathname = url.pathname.replaceAll('%2B', '%20');
    },
  }),
  conditionalMutant(
    'workspace-name-in-latin-1',
    'WORKSPACE-02',
    'value',
    'The name of a new workspace is read as Latin-1.',
    {
      of: 'createWorkspace',
      response: ({ record }) => {
        record.name = Buffer.from(String(record.name)).toString('latin1');
      },
    },
  ),
  conditionalMutant('second-close-500', 'EVENT-03', 'n-th request', 'A second close fails.', {
    of: 'sendTaskEvent',
    when: (request, past) =>
      request.payload.name === 'close' &&
      past.readTask(request).sent.some(({ request: { payload } }) => payload.name === 'close'),
    request: () => createRefusal(500),
  }),
  conditionalMutant(
    'visibility-without-data-500',
    'TASK-21',
    'after a deletion',
    'The visibility of a task cannot be set once its data are deleted.',
    {
      of: 'setTaskVisibility',
      when: (request, past) =>
        past.listSucceeded(request, 'deleteTaskData').some((done) => done.request.task === request.task),
      request: () => createRefusal(500),
    },
  ),
  conditionalMutant(
    'refused-for-credits-listed',
    'ERROR-06',
    'order',
    'A task that was refused for lack of credits is listed.',
    {
      of: 'listTasks',
      response: (response, request, past) => {
        const refused = past.listSent(request, 'createTask').filter((each) => each.response.status === 429);
        response.r = [...response.list, ...refused.map((_, at) => ({ id: `refused-${at}`, status: 'done' }))];
      },
    },
  ),
  conditionalMutant(
    'refused-name-removes-name',
    'ORG-03',
    'order',
    'A new name that is refused removes the old one.',
    {
      of: 'getOrganisation',
      when: (request, past) => past.listSent(request, 'updateOrganisation').at(-1)?.response.ok === false,
      response: ({ record }) => {
        record.name = '';
      },
    },
  ),
  conditionalMutant('hundred-events-listed', 'POLL-04', 'bound', 'A poll lists the first 100 events.', {
    of: 'getTask',
    response: (response) => {
      response.record.events = listEvents(response).slice(0, 100);
    },
  }),
  conditionalMutant(
    'limit-before-time',
    'TASK-15',
    'parameters together',
    'With t, only the newest l tasks are selected from.',
    {
      of: 'listTasks',
      when: ({ query }) => query.has('t') && query.has('l'),
      async request(request, _, forward) {
        const time = Number(request.query.get('t'));
        request.query.delete('t');
        const response = await forward(request);
        response.r = response.list.filter(({ created_at }) => Number(created_at) < time);
        return response;
      },
    },
  ),
  conditionalMutant(
    'third-tool-as-first',
    'TOOL-02',
    'several things',
    'The third tool of a task is called with inputs for the first.',
    {
      of: 'createTask',
      when: ({ json }) => Array.isArray(json.custom_tools) && json.custom_tools.length > 2,
      request: (request) => {
        const [first, ...others] = request.json.custom_tools as LooseRecord[];
        const changed = others.map((tool, at) => (at === 1 ? { ...tool, inputs: first!.inputs } : tool));
        request.json = { ...request.json, custom_tools: [first, ...changed] };
      },
    },
  ),
  conditionalMutant(
    'reply-of-another-task-taken',
    'TOOL-01',
    'several things',
    'A reply to a call of another task of the organisation is taken for that call.',
    {
      of: 'sendTaskEvent',
      request(request, past) {
        if (request.json.name !== 'tool_call') return;
        const polls = past.listSucceeded(request, 'getTask');
        const home = polls.find(({ response }) => hasCall(listEvents(response), request));
        if (home) request.url.pathname = request.url.pathname.replace(request.task, home.request.task);
      },
    },
  ),
  conditionalMutant(
    'action-beside-run-task-lost',
    'EVENT-08',
    'requests at once',
    'An action that is sent while run_task waits for a reply has no result.',
    () => {
      const lost = new Set<unknown>();
      return {
        of: ['sendTaskEvent', 'getTask'],
        request: (request, past) => {
          const { sent, events } = past.readTask(request);
          const isWaiting = sent.some(
            ({ request: { payload, json } }) =>
              payload.name === 'run_task' && !events.some((each) => isResult(each) && each.id === json.id),
          );
          const { name } = request.payload;
          if (request.is('sendTaskEvent') && name === 'evaluate_js' && isWaiting) lost.add(request.json.id);
        },
        response: (response, request) => {
          if (request.is('getTask'))
            response.record.events = listEvents(response).filter(({ id }) => !lost.has(id));
        },
      };
    },
  ),
  conditionalMutant(
    'messages-of-deleted-chat',
    'CHAT-03',
    'after a deletion',
    'The messages of a deleted chat are read as before.',
    {
      of: 'listMessages',
      error: (_, request, past) => past.listAbout(request, 'listMessages').at(-1)?.response.copy(),
    },
  ),
];

function hasParameter(part: FormDataEntryValue): boolean {
  return typeof part !== 'string' && part.type.includes(';');
}

function hasCall(events: ReturnType<typeof listEvents>, { json }: MutantRequest): boolean {
  return events.some((event) => isCall(event) && event.id === json.id);
}
