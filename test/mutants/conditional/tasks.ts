import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isOver } from '../operators/events.js';
import { createRefusal, isRecord, type LooseRecord, MutantResponse } from '../operators/mutant-response.js';

/** How tasks are created and what they come to. */
export const conditionalTaskMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'empty-task-is-session',
    'TASK-10',
    'value',
    'A task whose text is empty becomes a session.',
    {
      of: 'createTask',
      when: ({ json }) => json.task === '',
      request: (request) => {
        request.json = { ...request.json, task: null };
      },
    },
  ),
  conditionalMutant(
    'text-null-is-session',
    'TASK-10',
    'value',
    'A task with the text "null" becomes a session.',
    {
      of: 'createTask',
      when: ({ json }) => json.task === 'null',
      request: (request) => {
        request.json = { ...request.json, task: null };
      },
    },
  ),
  conditionalMutant(
    'emoji-in-task-500',
    'TASK-14',
    'value',
    'A task whose text has a character beyond the basic plane gets 500.',
    {
      of: 'createTask',
      when: ({ json }) => /[\u{10000}-\u{10ffff}]/u.test(String(json.task)),
      request: () => createRefusal(500),
    },
  ),
  conditionalMutant(
    'tenth-session-invalid',
    'TASK-14',
    'n-th request',
    'Each tenth session is refused as invalid.',
    {
      of: 'createTask',
      when: (request, past) =>
        request.json.task === null && past.listSent(request, 'createTask').length % 10 === 9,
      request: () => createRefusal(400, 'Something is wrong.'),
    },
  ),
  conditionalMutant(
    'same-text-same-task',
    'TASK-01',
    'several things',
    'A task with the text of one that runs is taken for that one.',
    {
      of: 'createTask',
      request: (request, past) => {
        const same = past.listRunning(request).find((each) => each.request.json.task === request.json.task);
        return typeof request.json.task === 'string' ? same?.response.copy() : undefined;
      },
    },
  ),
  conditionalMutant(
    'tasks-at-once-share-id',
    'TASK-01',
    'requests at once',
    'Of two tasks created at once the second is reported under the id of the first.',
    {
      of: 'createTask',
      when: (_, past) => past.isPending('createTask'),
      response: (response, request, past) => {
        const first = past.listSucceeded(request, 'createTask').at(-1);
        if (first) response.record.id = first.response.record.id;
      },
    },
  ),
  conditionalMutant(
    'created-after-stop-cancelled',
    'TASK-12',
    'after a deletion',
    'A task created right after another was stopped is reported as cancelled.',
    {
      of: 'createTask',
      when: (request, past) =>
        past.listSucceeded(request, 'createTask', 'deleteTask').at(-1)?.request.is('deleteTask') === true,
      response: (response) => {
        response.record.status = 'cancelled';
      },
    },
  ),
  conditionalMutant(
    'third-task-queued',
    'TASK-02',
    'several things',
    'A poll of a task that runs beside two others shows the status queued.',
    {
      of: 'getTask',
      when: (request, past) => past.listRunning(request).length > 2,
      response: (response) => {
        if (response.record.status === 'running') response.record.status = 'queued';
      },
    },
  ),
  conditionalMutant(
    'no-live-url-with-profile',
    'TASK-06',
    'parameters together',
    'A task that runs with a profile has no live_url.',
    {
      of: ['createTask', 'getTask'],
      when: (request, past) =>
        typeof (request.is('createTask') ? request.json : past.readTask(request).asked).profile_id ===
        'string',
      response: (response) => {
        response.record.live_url = null;
      },
    },
  ),
  conditionalMutant(
    'output-text-with-tools',
    'TASK-04',
    'parameters together',
    'With custom_tools beside a response_model the output is the JSON text of the data.',
    {
      of: 'getTask',
      when: (request, past) => {
        const { response_model, custom_tools } = past.readTask(request).asked;
        return isRecord(response_model) && Array.isArray(custom_tools) && custom_tools.length > 0;
      },
      response: ({ record }) => {
        if (record.status === 'done' && record.output !== null) record.output = JSON.stringify(record.output);
      },
    },
  ),
  conditionalMutant(
    'min-items-ignored',
    'TASK-04',
    'bound',
    'Arrays of an output have one member where the response_model asks for more.',
    {
      of: 'getTask',
      when: (request, past) =>
        /"minItems":[2-9]/.test(JSON.stringify(past.readTask(request).asked.response_model ?? null)),
      response: ({ record }) => {
        record.output = truncateLists(record.output);
      },
    },
  ),
  conditionalMutant(
    'output-wrapped-unless-object',
    'TASK-04',
    'value',
    'An output whose response_model is not of type object stands in the field value of an object.',
    {
      of: 'getTask',
      when: (request, past) => {
        const { response_model } = past.readTask(request).asked;
        return isRecord(response_model) && 'type' in response_model && response_model.type !== 'object';
      },
      response: ({ record }) => {
        if (record.status === 'done') record.output = { value: record.output };
      },
    },
  ),
  conditionalMutant('no-files-422', 'TASK-11', 'value', 'A task with an empty list of files is refused.', {
    of: 'createTask',
    when: ({ json }) => Array.isArray(json.files) && json.files.length === 0,
    request: () => createRefusal(422, 'files: expected at least one'),
  }),
  conditionalMutant(
    'two-files-404',
    'TASK-11',
    'several things',
    'A task with two uploaded files gets 404.',
    {
      of: 'createTask',
      when: ({ json }) => Array.isArray(json.files) && json.files.length > 1,
      response: () => createRefusal(404, 'There is no such file.'),
    },
  ),
  conditionalMutant(
    'device-beside-profile-422',
    'TASK-11',
    'parameters together',
    'A task is refused if it names a device beside a profile.',
    {
      of: 'createTask',
      when: ({ json }) => typeof json.device === 'string' && typeof json.profile_id === 'string',
      response: () => createRefusal(422, 'device: the profile decides'),
    },
  ),
  conditionalMutant(
    'stop-before-poll-lost',
    'TASK-13',
    'order',
    'A task that was never polled goes on running when it is stopped.',
    {
      of: 'deleteTask',
      when: (request, past) => {
        const { creation, polls } = past.readTask(request);
        return creation !== undefined && polls.length === 0;
      },
      request: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant(
    'stop-beside-action-lost',
    'TASK-13',
    'order',
    'A session whose action has no result yet goes on running when it is stopped.',
    {
      of: 'deleteTask',
      when: (request, past) => past.readTask(request).openActions.length > 0,
      request: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant(
    'second-stop-fails-task',
    'TASK-13',
    'n-th request',
    'A task that is stopped a second time is failed instead of cancelled.',
    {
      of: 'getTask',
      when: (request, past) =>
        past.listSent(request, 'deleteTask').filter((each) => each.request.task === request.task).length > 1,
      response: ({ record }) => {
        if (record.status === 'cancelled') record.status = 'failed';
      },
    },
  ),
  conditionalMutant(
    'cancelled-is-done-later',
    'TASK-13',
    'later',
    'A task that was stopped is reported as done from a minute later on.',
    {
      of: 'getTask',
      when: (request, past) => {
        const stop = past.listAbout(request, 'deleteTask').at(0);
        return stop !== undefined && past.now() - stop.at > 60_000;
      },
      response: ({ record }) => {
        if (record.status === 'cancelled') record.status = 'done';
      },
    },
  ),
  conditionalMutant(
    'visible-data-kept',
    'TASK-21',
    'order',
    'The data of a task that was made visible stay when they are deleted.',
    {
      of: 'deleteTaskData',
      when: (request, past) =>
        past.readTask(request).end !== undefined &&
        past.listAbout(request, 'setTaskVisibility').at(-1)?.request.query.get('visibility') === 'true',
      request: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant(
    'data-deleted-still-listed',
    'TASK-21',
    'parameters together',
    'A list with an l still has tasks whose data were deleted.',
    {
      of: 'listTasks',
      when: ({ query }) => query.has('l'),
      response: (response, request, past) => {
        const room = Number(request.query.get('l')) - response.list.length;
        const gone = past.listSucceeded(request, 'deleteTaskData').map((each) => each.request.task);
        const tasks = past.listSucceeded(request, 'getTask').map((each) => each.response.record);
        const last = gone.flatMap((id) => tasks.findLast((task) => task.id === id) ?? []);
        response.r = [...response.list, ...last.slice(0, Math.max(0, room))];
      },
    },
  ),
  conditionalMutant(
    'visibility-lost-at-end',
    'TASK-20',
    'later',
    'A task that was made visible is not visible any more once it is over.',
    {
      of: 'getTaskVisibility',
      when: (request, past) => past.readTask(request).end !== undefined,
      response: (response) => {
        response.r = false;
      },
    },
  ),
  conditionalMutant(
    'same-visibility-toggles',
    'TASK-20',
    'n-th request',
    'Setting the visibility that a task was set to before sets the other one.',
    {
      of: 'setTaskVisibility',
      when: (request, past) =>
        past.listAbout(request, 'setTaskVisibility').at(-1)?.request.query.get('visibility') ===
        request.query.get('visibility'),
      request: ({ query }) => query.set('visibility', String(query.get('visibility') !== 'true')),
    },
  ),
  conditionalMutant(
    'visibility-of-neighbor-set',
    'TASK-20',
    'several things',
    'Setting the visibility of a task sets that of the task created before it, too.',
    {
      of: 'setTaskVisibility',
      response: async (_, request, past, forward) => {
        const ids = past
          .listSucceeded(request, 'createTask')
          .map(({ response }) => String(response.record.id));
        const neighbor = ids[ids.indexOf(request.task) - 1];
        const visibility = request.query.get('visibility');
        if (neighbor === undefined) return;
        await forward(request.derive('POST', `/task/${neighbor}/visibility?visibility=${visibility}`));
      },
    },
  ),
  conditionalMutant(
    'visibility-of-ended-in-words',
    'TASK-19',
    'later',
    'The visibility of a task that is over is a word.',
    {
      of: 'getTaskVisibility',
      when: (request, past) => past.readTask(request).end !== undefined,
      response: (response) => {
        response.r = response.r === true ? 'public' : 'private';
      },
    },
  ),
  conditionalMutant(
    'update-false-is-null',
    'TASK-18',
    'value',
    'An update that changes nothing is answered with null.',
    {
      of: 'updateTask',
      response: (response) => {
        if (response.r === false) response.r = null;
      },
    },
  ),
  conditionalMutant(
    'recording-gone-later',
    'TASK-07',
    'later',
    'The address of the recording is gone a minute after the task was found done.',
    {
      of: 'getTask',
      when: (request, past) => {
        const { end } = past.readTask(request);
        return end !== undefined && past.now() - end.at > 60_000;
      },
      response: ({ record }) => {
        if (isOver(record)) record.recording_url = null;
      },
    },
  ),
  conditionalMutant(
    'credits-with-fraction',
    'TASK-08',
    'several things',
    'The credits of a task with more than two events have a fraction.',
    {
      of: 'getTask',
      when: (request, past) => new Set(past.readTask(request).events.map(({ id }) => id)).size > 2,
      response: ({ record }) => {
        if (typeof record.credits_used === 'number') record.credits_used += 0.5;
      },
    },
  ),
  conditionalMutant(
    'output-shows-reply',
    'TASK-03',
    'order',
    'The output of a task that runs is the output of the last reply.',
    {
      of: 'getTask',
      when: (request, past) => past.readTask(request).replies.length > 0,
      response: ({ record }, request, past) => {
        const reply: LooseRecord | undefined = past.readTask(request).replies.at(-1)?.request.payload;
        if (record.status === 'running') record.output = reply?.output ?? null;
      },
    },
  ),
];

function truncateLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(truncateLists);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, truncateLists(each)]));
}
