import type { ConditionalMutant } from '../mutant.js';
import { type ConditionalFault, conditionalMutant } from '../operators/conditional.js';
import { listEvents } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, isRecord, MutantResponse } from '../operators/mutant-response.js';
import type { RequestHistory } from '../operators/request-history.js';

/** Faults over all resources, written before the search was tuned for any of them: they show what it finds by itself. */
export const unseenMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'visibility-lost-by-stop',
    'TASK-20',
    'order',
    'A task that was made visible is not visible any more once it was stopped.',
    {
      of: 'getTaskVisibility',
      when: (request, past) =>
        past.listSucceededByAll('deleteTask').some((each) => each.request.task === request.task),
      response: (response) => {
        if (response.r === true) response.r = false;
      },
    },
  ),
  conditionalMutant(
    'visible-task-stopped-by-stranger',
    'SERVICE-04',
    'another key',
    'A task that was made visible can be stopped with every key.',
    {
      of: 'deleteTask',
      when: (request, past) => findMadeVisible(request, past) !== undefined,
      request: (request, past) => {
        request.key = findMadeVisible(request, past)!.key;
      },
    },
  ),
  conditionalMutant(
    'action-after-throw-lost',
    'EVENT-08',
    'order',
    'An action that is sent after a script that throws is confirmed and not carried out.',
    skipActions((request, past) =>
      String(readInput(past.readTask(request).actions.at(-1)?.request).js).includes('throw'),
    ),
  ),
  conditionalMutant(
    'sixth-action-lost',
    'EVENT-08',
    'n-th request',
    'Of the actions of a session those after the fifth are confirmed and not carried out.',
    skipActions((request, past) => past.readTask(request).actions.length >= 5),
  ),
  conditionalMutant(
    'long-action-id-lost',
    'EVENT-08',
    'bound',
    'An action whose id has more than 128 characters is confirmed and not carried out.',
    skipActions(({ json }) => String(json.id).length > 128),
  ),
  conditionalMutant(
    'action-of-session-with-tools-409',
    'EVENT-03',
    'parameters together',
    'A session that was created with tools refuses actions.',
    {
      of: 'sendTaskEvent',
      when: (request, past) => {
        const { task, custom_tools } = past.readTask(request).asked;
        return task === null && Array.isArray(custom_tools) && request.json.name !== 'tool_call';
      },
      request: () => createRefusal(409, 'This task takes no actions.'),
    },
  ),
  conditionalMutant(
    'event-of-event-t-again',
    'POLL-03',
    'bound',
    'A poll whose event_t is the time of the newest of three or more events lists that event again.',
    {
      of: 'getTask',
      when: (request, past) => {
        const { events } = past.readTask(request);
        return (
          new Set(events.map(({ timestamp }) => timestamp)).size >= 3 &&
          findNewestEvent(request, past)?.timestamp === request.since
        );
      },
      response: (response, request, past) => {
        response.record.events = [findNewestEvent(request, past), ...listEvents(response)];
      },
    },
  ),
  conditionalMutant(
    'second-change-of-sop-lost',
    'SOP-02',
    'n-th request',
    'The second change of a SOP is confirmed and not made.',
    {
      of: 'saveSop',
      when: ({ query }) => Number(query.get('t') ?? 0) !== 0,
      request: (request, past) => {
        const before = past.listAbout(request, 'saveSop').at(-1);
        if (before) request.json = before.request.json;
      },
    },
  ),
  conditionalMutant(
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
  conditionalMutant(
    'deleted-chat-renamed',
    'CHAT-03',
    'after a deletion',
    'The change of the title of a deleted chat succeeds.',
    {
      of: 'renameChat',
      error: (response, request, past) =>
        past.listAbout(request, 'deleteChat').length > 0
          ? new MutantResponse(200, { r: { title: request.query.get('title') } })
          : response,
    },
  ),
  conditionalMutant(
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
  conditionalMutant(
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
  conditionalMutant(
    'profile-deleted-twice-stays',
    'PROFILE-04',
    'after a deletion',
    'A profile with the id of a deleted one stays when it is deleted.',
    {
      of: 'deleteProfile',
      when: (request, past) => past.listAbout(request, 'deleteProfile').length > 0,
      request: async (request, _, forward) => {
        const { list } = await forward(request.derive('GET', '/profile'));
        const isThere = list.some(({ id }) => id === request.path.get('profile_id'));
        return isThere ? new MutantResponse(200, { r: null }) : undefined;
      },
    },
  ),
  conditionalMutant(
    'profile-beyond-ascii-of-task-404',
    'TASK-11',
    'value',
    'A task with a profile whose id is not ASCII gets 404.',
    {
      of: 'createTask',
      when: ({ json }) => /[^\x20-\x7e]/.test(String(json.profile_id ?? '')),
      request: () => createRefusal(404, 'There is no such profile.'),
    },
  ),
  conditionalMutant(
    'extensions-of-two-paths-apart',
    'EXT-02',
    'several things',
    'GET /extension lacks what was uploaded at /browser/extension once something was uploaded at /extension.',
    {
      of: 'listExtensions',
      when: (request, past) => past.listSucceeded(request, 'uploadExtension').length > 0,
      response: (response, request, past) => {
        const others = past
          .listSucceeded(request, 'uploadBrowserExtension')
          .map((each) => each.response.record.id);
        response.r = response.list.filter(({ id }) => !others.includes(id));
      },
    },
  ),
  conditionalMutant(
    'file-deleted-by-stranger-after-use',
    'SERVICE-04',
    'another key',
    'A file that a task was given can be deleted with every key.',
    {
      of: 'deleteFile',
      error: async (response, request, past, forward) => {
        const user = past
          .listSucceededByAll('createTask')
          .find((each) => [each.request.json.files].flat().includes(request.path.get('file_id')));
        if (!user || user.request.key === request.key) return response;
        request.key = user.request.key;
        return forward(request);
      },
    },
  ),
  conditionalMutant(
    'browser-closed-twice',
    'BROWSER-02',
    'after a deletion',
    'The second closing of a browser succeeds as the first.',
    {
      of: 'closeBrowserSession',
      error: (response, request, past) =>
        past.listAbout(request, 'closeBrowserSession').length > 0
          ? new MutantResponse(200, { r: null })
          : response,
    },
  ),
  conditionalMutant(
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
          .listSucceeded(request, 'createAutomation')
          .map((each) => each.request.headers['workspace-id']!);
        const id = ids.find((each) => each !== own);
        if (id === undefined) return;
        const other = request.derive('GET', '/automation');
        other.headers['workspace-id'] = id;
        response.r = [...response.list, ...(await forward(other)).list];
      },
    },
  ),
  conditionalMutant(
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
  conditionalMutant(
    'top-up-off-by-plan',
    'ORG-07',
    'order',
    'The settings of the automatic top-up show the threshold 0 once the plan was changed after them.',
    {
      of: 'getAutoTopUp',
      when: (request, past) =>
        past.listSucceeded(request, 'setAutoTopUp', 'setPlan').at(-1)?.request.is('setPlan') === true &&
        past.listSucceeded(request, 'setAutoTopUp').length > 0,
      response: ({ record }) => {
        for (const name of Object.keys(record)) if (/threshold/i.test(name)) record[name] = 0;
      },
    },
  ),
];

function findMadeVisible(request: MutantRequest, past: RequestHistory): MutantRequest | undefined {
  return past
    .listSucceededByAll('setTaskVisibility')
    .find((each) => each.request.task === request.task && each.request.query.get('visibility') === 'true')
    ?.request;
}

function readInput(request: MutantRequest | undefined): Record<string, unknown> {
  const input = request?.payload.input;
  return isRecord(input) ? input : {};
}

function findNewestEvent(request: MutantRequest, past: RequestHistory) {
  return past
    .readTask(request)
    .events.toSorted((a, b) => a.timestamp - b.timestamp)
    .at(-1);
}

function skipActions(when: ConditionalFault['when'] & {}): ConditionalFault {
  return {
    of: 'sendTaskEvent',
    when: (request, past) => request.json.name !== 'tool_call' && when(request, past),
    request: ({ json: { id } }) => new MutantResponse(200, { r: { id } }),
  };
}
