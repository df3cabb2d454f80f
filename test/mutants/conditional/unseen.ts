import type { ConditionalMutant } from '../mutant.js';
import { conditional, type Fault } from '../operators/conditional.js';
import { eventsOf } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { isRecord, MutantResponse, refusal } from '../operators/mutant-response.js';
import type { Past } from '../operators/past.js';

/** Faults over all resources, written before the search was tuned for any of them: they show what it finds by itself. */
export const unseenMutants: readonly ConditionalMutant[] = [
  conditional(
    'visibility-lost-by-stop',
    'TASK-20',
    'order',
    'A task that was made visible is not visible any more once it was stopped.',
    {
      of: 'getTaskVisibility',
      when: (request, past) => past.ofAll('deleteTask').some((each) => each.request.task === request.task),
      response: (response) => {
        if (response.r === true) response.r = false;
      },
    },
  ),
  conditional(
    'visible-task-stopped-by-stranger',
    'SERVICE-04',
    'another key',
    'A task that was made visible can be stopped with every key.',
    {
      of: 'deleteTask',
      when: (request, past) => madeVisible(request, past) !== undefined,
      request: (request, past) => {
        request.key = madeVisible(request, past)!.key;
      },
    },
  ),
  conditional(
    'action-after-throw-lost',
    'EVENT-08',
    'order',
    'An action that is sent after a script that throws is confirmed and not carried out.',
    notCarriedOut((request, past) =>
      String(inputOf(past.task(request).actions.at(-1)?.request).js).includes('throw'),
    ),
  ),
  conditional(
    'sixth-action-lost',
    'EVENT-08',
    'n-th request',
    'Of the actions of a session those after the fifth are confirmed and not carried out.',
    notCarriedOut((request, past) => past.task(request).actions.length >= 5),
  ),
  conditional(
    'long-action-id-lost',
    'EVENT-08',
    'bound',
    'An action whose id has more than 128 characters is confirmed and not carried out.',
    notCarriedOut(({ json }) => String(json.id).length > 128),
  ),
  conditional(
    'action-of-session-with-tools-409',
    'EVENT-03',
    'parameters together',
    'A session that was created with tools refuses actions.',
    {
      of: 'sendTaskEvent',
      when: (request, past) => {
        const { task, custom_tools } = past.task(request).asked;
        return task === null && Array.isArray(custom_tools) && request.json.name !== 'tool_call';
      },
      request: () => refusal(409, 'This task takes no actions.'),
    },
  ),
  conditional(
    'event-of-event-t-again',
    'POLL-03',
    'bound',
    'A poll whose event_t is the time of the newest of three or more events lists that event again.',
    {
      of: 'getTask',
      when: (request, past) => {
        const { events } = past.task(request);
        return (
          new Set(events.map(({ timestamp }) => timestamp)).size >= 3 &&
          newest(request, past)?.timestamp === request.since
        );
      },
      response: (response, request, past) => {
        response.record.events = [newest(request, past), ...eventsOf(response)];
      },
    },
  ),
  conditional(
    'second-change-of-sop-lost',
    'SOP-02',
    'n-th request',
    'The second change of a SOP is confirmed and not made.',
    {
      of: 'saveSop',
      when: ({ query }) => Number(query.get('t') ?? 0) !== 0,
      request: (request, past) => {
        const before = past.about(request, 'saveSop').at(-1);
        if (before) request.json = before.request.json;
      },
    },
  ),
  conditional(
    'sop-in-ascii',
    'SOP-02',
    'value',
    'What is not ASCII in a SOP is replaced by question marks.',
    {
      of: 'saveSop',
      request: (request) => {
        request.json = JSON.parse(JSON.stringify(request.json).replace(/[^\x20-\x7e]/gu, '?'));
      },
    },
  ),
  conditional(
    'deleted-chat-renamed',
    'CHAT-03',
    'after a deletion',
    'The change of the title of a deleted chat succeeds.',
    {
      of: 'renameChat',
      error: (response, request, past) =>
        past.about(request, 'deleteChat').length > 0
          ? new MutantResponse(200, { r: { title: request.query.get('title') } })
          : response,
    },
  ),
  conditional(
    'messages-at-once-mixed-up',
    'CHAT-08',
    'requests at once',
    'Of two messages sent at once in a workspace the second has the content of the first.',
    {
      of: 'createMessage',
      request: (request, past) => {
        const first = [...past.pending].find((other) => other !== request && other.is('createMessage'));
        if (first) request.body = first.body;
      },
    },
  ),
  conditional(
    'profiles-deleted-at-once-one-stays',
    'PROFILE-04',
    'requests at once',
    'Of two profiles deleted at once the second stays.',
    {
      of: 'deleteProfile',
      when: (request, past) =>
        [...past.pending].some(
          (other) =>
            other.is('deleteProfile') && other.path.get('profile_id') !== request.path.get('profile_id'),
        ),
      request: () => new MutantResponse(200, { r: null }),
    },
  ),
  conditional(
    'profile-deleted-twice-stays',
    'PROFILE-04',
    'after a deletion',
    'A profile with the id of a deleted one stays when it is deleted.',
    {
      of: 'deleteProfile',
      when: (request, past) => past.about(request, 'deleteProfile').length > 0,
      request: async (request, _, forward) => {
        const { list } = await forward(request.other('GET', '/profile'));
        const isThere = list.some(({ id }) => id === request.path.get('profile_id'));
        return isThere ? new MutantResponse(200, { r: null }) : undefined;
      },
    },
  ),
  conditional(
    'profile-beyond-ascii-of-task-404',
    'TASK-11',
    'value',
    'A task with a profile whose id is not ASCII gets 404.',
    {
      of: 'createTask',
      when: ({ json }) => /[^\x20-\x7e]/.test(String(json.profile_id ?? '')),
      request: () => refusal(404, 'There is no such profile.'),
    },
  ),
  conditional(
    'extensions-of-two-paths-apart',
    'EXT-02',
    'several things',
    'GET /extension lacks what was uploaded at /browser/extension once something was uploaded at /extension.',
    {
      of: 'listExtensions',
      when: (request, past) => past.done(request, 'uploadExtension').length > 0,
      response: (response, request, past) => {
        const others = past.done(request, 'uploadBrowserExtension').map((each) => each.response.record.id);
        response.r = response.list.filter(({ id }) => !others.includes(id));
      },
    },
  ),
  conditional(
    'file-deleted-by-stranger-after-use',
    'SERVICE-04',
    'another key',
    'A file that a task was given can be deleted with every key.',
    {
      of: 'deleteFile',
      error: async (response, request, past, forward) => {
        const user = past
          .ofAll('createTask')
          .find((each) => [each.request.json.files].flat().includes(request.path.get('file_id')));
        if (!user || user.request.key === request.key) return response;
        request.key = user.request.key;
        return forward(request);
      },
    },
  ),
  conditional(
    'browser-closed-twice',
    'BROWSER-02',
    'after a deletion',
    'The second closing of a browser succeeds as the first.',
    {
      of: 'closeBrowserSession',
      error: (response, request, past) =>
        past.about(request, 'closeBrowserSession').length > 0
          ? new MutantResponse(200, { r: null })
          : response,
    },
  ),
  conditional(
    'automations-of-other-workspace-listed',
    'AUTO-01',
    'several things',
    'The list of automations has those of another workspace, too, if it has some of its own.',
    {
      of: 'listAutomations',

      response: async (response, request, past, forward) => {
        if (response.list.length === 0) return;
        const own = request.headers['workspace-id'];
        const ids = past
          .done(request, 'createAutomation')
          .map((each) => each.request.headers['workspace-id']!);
        const id = ids.find((each) => each !== own);
        if (id === undefined) return;
        const other = request.other('GET', '/automation');
        other.headers['workspace-id'] = id;
        response.r = [...response.list, ...(await forward(other)).list];
      },
    },
  ),
  conditional(
    'plus-in-organisation-name',
    'ORG-03',
    'value',
    'A plus in a new name of the organisation becomes a blank.',
    {
      of: 'updateOrganisation',
      request: ({ query }) => {
        query.set('name', String(query.get('name')).replaceAll('+', ' '));
      },
    },
  ),
  conditional(
    'top-up-off-by-plan',
    'ORG-07',
    'order',
    'The settings of the automatic top-up show the threshold 0 once the plan was changed after them.',
    {
      of: 'getAutoTopUp',
      when: (request, past) =>
        past.done(request, 'setAutoTopUp', 'setPlan').at(-1)?.request.is('setPlan') === true &&
        past.done(request, 'setAutoTopUp').length > 0,
      response: ({ record }) => {
        for (const name of Object.keys(record)) if (/threshold/i.test(name)) record[name] = 0;
      },
    },
  ),
];

function madeVisible(request: MutantRequest, past: Past): MutantRequest | undefined {
  return past
    .ofAll('setTaskVisibility')
    .find((each) => each.request.task === request.task && each.request.query.get('visibility') === 'true')
    ?.request;
}

function inputOf(request: MutantRequest | undefined): Record<string, unknown> {
  const input = request?.payload.input;
  return isRecord(input) ? input : {};
}

function newest(request: MutantRequest, past: Past) {
  return past
    .task(request)
    .events.toSorted((a, b) => a.timestamp - b.timestamp)
    .at(-1);
}

function notCarriedOut(when: Fault['when'] & {}): Fault {
  return {
    of: 'sendTaskEvent',
    when: (request, past) => request.json.name !== 'tool_call' && when(request, past),
    request: ({ json: { id } }) => new MutantResponse(200, { r: { id } }),
  };
}
