import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { createRefusal, MutantResponse } from '../operators/mutant-response.js';

/** Profiles. */
export const conditionalProfileMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'profile-id-of-deleted-taken',
    'PROFILE-02',
    'after a deletion',
    'The id of a deleted profile stays taken.',
    {
      of: 'createProfile',
      when: (request, past) =>
        past
          .listSucceeded(request, 'deleteProfile')
          .some((each) => each.request.path.get('profile_id') === request.json.id),
      request: () => createRefusal(409, 'The id is taken.'),
    },
  ),
  conditionalMutant(
    'profile-after-deletion-invalid',
    'PROFILE-02',
    'after a deletion',
    'The next profile after one was deleted is refused as invalid.',
    {
      of: 'createProfile',
      when: (request, past) =>
        past.listSucceeded(request, 'deleteProfile').length > 0 &&
        past.listSent(request, 'createProfile').length % 4 === 3,
      request: () => createRefusal(422, 'This is not valid.'),
    },
  ),
  conditionalMutant(
    'profile-created-again-not-listed',
    'PROFILE-03',
    'after a deletion',
    'A profile with the id of a deleted one is not listed.',
    {
      of: 'listProfiles',
      response: (response, request, past) => {
        const deleted = past
          .listSucceeded(request, 'deleteProfile')
          .map((each) => each.request.path.get('profile_id'));
        response.r = response.list.filter(({ id }) => !deleted.includes(String(id)));
      },
    },
  ),
  conditionalMutant(
    'profile-created-again-500',
    'PROFILE-02',
    'after a deletion',
    'A profile that was deleted and is created again gets 500.',
    {
      of: 'createProfile',
      when: (request, past) =>
        past
          .listSucceeded(request, 'deleteProfile')
          .some((each) => each.request.path.get('profile_id') === request.json.id),
      response: () => createRefusal(500),
    },
  ),
  conditionalMutant(
    'profile-created-again-unusable',
    'TASK-11',
    'after a deletion',
    'A task with a profile that has the id of a deleted one gets 404.',
    {
      of: 'createTask',
      when: (request, past) =>
        past
          .listSucceeded(request, 'deleteProfile')
          .some((each) => each.request.path.get('profile_id') === request.json.profile_id),
      response: () => createRefusal(404, 'There is no such profile.'),
    },
  ),
  conditionalMutant(
    'profile-id-of-other-case-taken',
    'PROFILE-02',
    'similar id',
    'The id of a profile is taken if that of another differs by the case of letters alone.',
    {
      of: 'createProfile',
      when: ({ json: { id } }) => typeof id === 'string',
      response: async (_, request, __, forward) => {
        const id = String(request.json.id);
        const { list } = await forward(request.derive('GET', '/profile'));
        const isTaken = list.some(
          (each) => each.id !== id && String(each.id).toLowerCase() === id.toLowerCase(),
        );
        if (!isTaken) return undefined;
        await forward(request.derive('DELETE', `/profile/${encodeURIComponent(id)}`));
        return createRefusal(409, 'The id is taken.');
      },
    },
  ),
  conditionalMutant(
    'profile-deleted-with-longer-ids',
    'PROFILE-04',
    'similar id',
    'Those profiles go with a deleted one whose ids begin with its id.',
    {
      of: ['deleteProfile', 'deleteBrowserProfile'],
      response: async (_, request, __, forward) => {
        const prefix = request.path.get('profile_id')!;
        for (const { id } of (await forward(request.derive('GET', '/profile'))).list)
          if (String(id).startsWith(prefix))
            await forward(request.derive('DELETE', `/profile/${encodeURIComponent(String(id))}`));
      },
    },
  ),
  conditionalMutant(
    'profile-of-encoded-id-404',
    'PROFILE-04',
    'value',
    'A profile whose id has to be encoded in a path cannot be deleted.',
    {
      of: 'deleteProfile',
      when: ({ path }) => encodeURIComponent(path.get('profile_id')!) !== path.get('profile_id'),
      request: () => createRefusal(404, 'There is no such profile.'),
    },
  ),
  conditionalMutant(
    'profile-id-in-ascii',
    'PROFILE-02',
    'value',
    'The response to a new profile has question marks for what is not ASCII in its id.',
    {
      of: 'createProfile',
      response: ({ record }) => {
        record.id = toAscii(record.id);
      },
    },
  ),
  conditionalMutant(
    'profile-listed-under-cut-id',
    'PROFILE-03',
    'bound',
    'The ids in the list of profiles end after 64 characters.',
    {
      of: 'listProfiles',
      response: (response) => {
        for (const profile of response.list) profile.id = String(profile.id).slice(0, 64);
      },
    },
  ),
  conditionalMutant(
    'profiles-at-once-first-lost',
    'PROFILE-03',
    'requests at once',
    'Of two profiles created at once the first is not listed.',
    () => {
      const lost = new Set<unknown>();
      return {
        of: ['createProfile', 'listProfiles'],
        request: (request, past) => {
          if (!request.is('createProfile')) return;
          for (const other of past.pending)
            if (other !== request && other.is('createProfile')) lost.add(other.json.id);
        },
        response: (response, request) => {
          if (request.is('listProfiles')) response.r = response.list.filter(({ id }) => !lost.has(id));
        },
      };
    },
  ),
  conditionalMutant(
    'profile-in-use-stays',
    'PROFILE-04',
    'order',
    'A profile stays when it is deleted while a task with it runs.',
    {
      of: 'deleteProfile',
      when: (request, past) =>
        past
          .listRunning(request)
          .some((each) => each.request.json.profile_id === request.path.get('profile_id')),
      request: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant(
    'browser-profiles-up-to-four',
    'BROWSER-03',
    'bound',
    'GET /browser/profile has four profiles at most.',
    {
      of: 'listBrowserProfiles',
      response: ({ record }) => {
        if (Array.isArray(record.profile_ids)) record.profile_ids = record.profile_ids.slice(-4);
      },
    },
  ),
  conditionalMutant(
    'browser-profile-of-task-stays',
    'BROWSER-04',
    'order',
    'A profile stays when it is deleted below /browser after a task had it.',
    {
      of: 'deleteBrowserProfile',
      when: (request, past) =>
        past
          .listSucceeded(request, 'createTask')
          .some((each) => each.request.json.profile_id === request.path.get('profile_id')),
      request: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant(
    'no-profiles-no-r',
    'ENV-01',
    'value',
    'The list of profiles lacks r where there are none.',
    {
      of: 'listProfiles',
      response: (response) => {
        if (response.list.length === 0) response.body = {};
      },
    },
  ),
];

function toAscii(text: unknown): string {
  return String(text).replace(/[^\x20-\x7e]/gu, '?');
}
