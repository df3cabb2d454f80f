import type { ConditionalMutant } from '../mutant.js';
import { conditional } from '../operators/conditional.js';
import { eventsOf, isCall, isResult } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { isRecord, type LooseRecord, refusal } from '../operators/mutant-response.js';
import type { Past } from '../operators/past.js';

/** Faults of tasks, sessions and what they use, written before the search was tuned for any of them. */
export const unseenTaskMutants: readonly ConditionalMutant[] = [
  conditional(
    'goto-decodes-address',
    'SESSION-06',
    'value',
    'A goto opens the decoded form of an address with encoded characters.',
    {
      of: 'sendTaskEvent',
      when: ({ payload }) => payload.name === 'goto' && decoded(payload) !== inputOf(payload).url,
      request: (request) => {
        const { json, payload } = request;
        request.json = {
          ...json,
          payload: { ...payload, input: { ...inputOf(payload), url: decoded(payload) } },
        };
      },
    },
  ),
  conditional(
    'second-run-task-400',
    'SESSION-09',
    'n-th request',
    'The second run_task of a session results in code 400.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const runs = past.task(request).actions.filter((each) => each.request.payload.name === 'run_task');
        for (const event of eventsOf(response))
          if (isResult(event) && runs.findIndex((each) => each.request.json.id === event.id) > 0)
            event.payload = { code: 400, output: 'A task has run in this session already.' };
      },
    },
  ),
  conditional(
    'poll-after-pause-empty',
    'POLL-03',
    'later',
    'A poll with an event_t lists no events if the last poll of the task was more than a minute ago.',
    {
      of: 'getTask',
      when: (request, past) => {
        const last = past.task(request).polls.at(-1);
        return request.since > 0 && last !== undefined && past.now() - last.at > 60_000;
      },
      response: (response) => {
        response.record.events = [];
      },
    },
  ),
  conditional(
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
  conditional(
    'data-of-visible-deleted-by-stranger',
    'SERVICE-04',
    'another key',
    'The data of a task that was made visible can be deleted with every key.',
    {
      of: 'deleteTaskData',
      request: (request, past) => {
        const visible = past
          .ofAll('setTaskVisibility')
          .find(
            (each) => each.request.task === request.task && each.request.query.get('visibility') === 'true',
          );
        if (visible) request.key = visible.request.key;
      },
    },
  ),
  conditional('nested-inputs-dropped', 'TOOL-02', 'value', 'Objects within the input of a call are empty.', {
    of: 'getTask',
    response: (response) => {
      for (const { payload } of eventsOf(response).filter(isCall))
        for (const [name, value] of Object.entries(payload.input as LooseRecord))
          if (isRecord(value)) (payload.input as LooseRecord)[name] = {};
    },
  }),
  conditional(
    'file-of-second-task-404',
    'TASK-11',
    'n-th request',
    'A task with a file that an earlier task had gets 404.',
    {
      of: 'createTask',
      when: (request, past) =>
        past
          .done(request, 'createTask')
          .some((each) => filesIn(each.request).some((file) => filesIn(request).includes(file))),
      request: () => refusal(404, 'There is no such file.'),
    },
  ),
  conditional(
    'file-gone-with-stopped-task',
    'FILE-02',
    'order',
    'A file is gone once a task that had it was stopped.',
    {
      of: 'deleteFile',
      when: (request, past) =>
        stopped(request, past).some((task) => filesIn(task).includes(request.path.get('file_id')!)),
      request: () => refusal(404, 'There is no such file.'),
    },
  ),
  conditional(
    'profile-unlisted-with-stopped-task',
    'PROFILE-03',
    'order',
    'A profile is not listed any more once a task that had it was stopped.',
    {
      of: 'listProfiles',
      response: (response, request, past) => {
        const ids = stopped(request, past).map(({ json }) => json.profile_id);
        response.r = response.list.filter(({ id }) => !ids.includes(id));
      },
    },
  ),
  conditional(
    'browser-after-closing-404',
    'BROWSER-02',
    'after a deletion',
    'A browser that was opened after another was closed is not found when it is closed.',
    () => {
      const lost = new Set<unknown>();
      return {
        of: ['openBrowserSession', 'closeBrowserSession'],
        request: (request) =>
          lost.has(request.path.get('session_id')) ? refusal(404, 'There is no such browser.') : undefined,
        response: (response, request, past) => {
          if (request.is('openBrowserSession') && past.done(request, 'closeBrowserSession').length > 0)
            lost.add(response.record.live_id);
        },
      };
    },
  ),
];

function inputOf(payload: LooseRecord): LooseRecord {
  return isRecord(payload.input) ? payload.input : {};
}

function decoded(payload: LooseRecord): unknown {
  const { url } = inputOf(payload);
  return typeof url === 'string' ? decodeURI(url) : url;
}

function filesIn({ json }: MutantRequest): unknown[] {
  return Array.isArray(json.files) ? json.files : [];
}

/** Requests that created the tasks which were stopped. */
function stopped(request: MutantRequest, past: Past): MutantRequest[] {
  const ids = past.done(request, 'deleteTask').map((each) => each.request.task);
  return past
    .done(request, 'createTask')
    .filter(({ response }) => ids.includes(String(response.record.id)))
    .map((each) => each.request);
}
