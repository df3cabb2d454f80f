import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isCall, isResult, listEvents } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, isRecord, type LooseRecord } from '../operators/mutant-response.js';
import type { RequestHistory } from '../operators/request-history.js';

/** Faults of tasks, sessions and what they use, written before the search was tuned for any of them. */
export const unseenTaskMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'goto-decodes-address',
    'SESSION-06',
    'value',
    'A goto opens the decoded form of an address with encoded characters.',
    {
      of: 'sendTaskEvent',
      when: ({ payload }) => payload.name === 'goto' && decodeUrl(payload) !== readInput(payload).url,
      request: (request) => {
        const { json, payload } = request;
        request.json = {
          ...json,
          payload: { ...payload, input: { ...readInput(payload), url: decodeUrl(payload) } },
        };
      },
    },
  ),
  conditionalMutant(
    'second-run-task-400',
    'SESSION-09',
    'n-th request',
    'The second run_task of a session results in code 400.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const runs = past
          .readTask(request)
          .actions.filter((each) => each.request.payload.name === 'run_task');
        for (const event of listEvents(response))
          if (isResult(event) && runs.findIndex((each) => each.request.json.id === event.id) > 0)
            event.payload = { code: 400, output: 'A task has run in this session already.' };
      },
    },
  ),
  conditionalMutant(
    'poll-after-pause-empty',
    'POLL-03',
    'later',
    'A poll with an event_t lists no events if the last poll of the task was more than a minute ago.',
    {
      of: 'getTask',
      when: (request, past) => {
        const last = past.readTask(request).polls.at(-1);
        return request.since > 0 && last !== undefined && past.now() - last.at > 60_000;
      },
      response: (response) => {
        response.record.events = [];
      },
    },
  ),
  conditionalMutant(
    'cancelled-not-listed-with-l',
    'TASK-15',
    'parameters together',
    'A list of tasks with an l lacks those that were stopped.',
    {
      of: 'listTasks',
      when: ({ query }) => query.has('l'),
      response: (response) => {
        response.r = response.list.filter(({ status }) => status !== 'cancelled');
      },
    },
  ),
  conditionalMutant(
    'data-of-visible-deleted-by-stranger',
    'SERVICE-04',
    'another key',
    'The data of a task that was made visible can be deleted with every key.',
    {
      of: 'deleteTaskData',
      request: (request, past) => {
        const visible = past
          .listSucceededByAll('setTaskVisibility')
          .find(
            (each) => each.request.task === request.task && each.request.query.get('visibility') === 'true',
          );
        if (visible) request.key = visible.request.key;
      },
    },
  ),
  conditionalMutant(
    'nested-inputs-dropped',
    'TOOL-02',
    'value',
    'Objects within the input of a call are empty.',
    {
      of: 'getTask',
      response: (response) => {
        for (const { payload } of listEvents(response).filter(isCall))
          for (const [name, value] of Object.entries(payload.input as LooseRecord))
            if (isRecord(value)) (payload.input as LooseRecord)[name] = {};
      },
    },
  ),
  conditionalMutant(
    'file-of-second-task-404',
    'TASK-11',
    'n-th request',
    'A task with a file that an earlier task had gets 404.',
    {
      of: 'createTask',
      when: (request, past) =>
        past
          .listSucceeded(request, 'createTask')
          .some((each) => listFiles(each.request).some((file) => listFiles(request).includes(file))),
      request: () => createRefusal(404, 'There is no such file.'),
    },
  ),
  conditionalMutant(
    'file-gone-with-stopped-task',
    'FILE-02',
    'order',
    'A file is gone once a task that had it was stopped.',
    {
      of: 'deleteFile',
      when: (request, past) =>
        listStopped(request, past).some((task) => listFiles(task).includes(request.path.get('file_id')!)),
      request: () => createRefusal(404, 'There is no such file.'),
    },
  ),
  conditionalMutant(
    'profile-unlisted-with-stopped-task',
    'PROFILE-03',
    'order',
    'A profile is not listed any more once a task that had it was stopped.',
    {
      of: 'listProfiles',
      response: (response, request, past) => {
        const ids = listStopped(request, past).map(({ json }) => json.profile_id);
        response.r = response.list.filter(({ id }) => !ids.includes(id));
      },
    },
  ),
  conditionalMutant(
    'browser-after-closing-404',
    'BROWSER-02',
    'after a deletion',
    'A browser that was opened after another was closed is not found when it is closed.',
    () => {
      const lost = new Set<unknown>();
      return {
        of: ['openBrowserSession', 'closeBrowserSession'],
        request: (request) =>
          lost.has(request.path.get('session_id'))
            ? createRefusal(404, 'There is no such browser.')
            : undefined,
        response: (response, request, past) => {
          if (
            request.is('openBrowserSession') &&
            past.listSucceeded(request, 'closeBrowserSession').length > 0
          )
            lost.add(response.record.live_id);
        },
      };
    },
  ),
];

function readInput(payload: LooseRecord): LooseRecord {
  return isRecord(payload.input) ? payload.input : {};
}

function decodeUrl(payload: LooseRecord): unknown {
  const { url } = readInput(payload);
  return typeof url === 'string' ? decodeURI(url) : url;
}

function listFiles({ json }: MutantRequest): unknown[] {
  return Array.isArray(json.files) ? json.files : [];
}

/** Requests that created the tasks which were stopped. */
function listStopped(request: MutantRequest, past: RequestHistory): MutantRequest[] {
  const ids = past.listSucceeded(request, 'deleteTask').map((each) => each.request.task);
  return past
    .listSucceeded(request, 'createTask')
    .filter(({ response }) => ids.includes(String(response.record.id)))
    .map((each) => each.request);
}
