import type { OperationId } from '../../../../spec/generated/operations.js';
import { asFields } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { leavesOf, mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import {
  eventually,
  isGone,
  mustFollow,
  mustSucceed,
  removeLater,
  shouldSucceed,
  stillThere,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

export interface MadeProfile {
  id: string;
  created: ApiResponse;
  /** To be called once it is known to be removed. */
  gone: () => void;
}

/** A profile of a new id, removed at the end of the run. */
export async function makeProfile(t: TestContext, key: 'main' | 'other' = 'main'): Promise<MadeProfile> {
  const id = t.unique();
  const gone = removeLater(t, `profile ${id}`, 'deleteProfile', { path: { profile_id: id }, key });
  const created = await t.send('createProfile', { body: { id }, key });
  if (!created.ok) gone();
  shouldSucceed(t, 'PROFILE-02', created, 'POST /profile with an id');
  return { id, created, gone };
}

const profile: TestCase = {
  id: 'resources/profile',
  title: 'A browser profile is made under its id, listed, deleted and gone, and another one stays',
  covers: ['PROFILE-02', 'PROFILE-03', 'PROFILE-04'],
  operations: ['createProfile', 'listProfiles', 'deleteProfile'],
  async run(t: TestContext) {
    const before = await t.send('listProfiles');
    mustSucceed(t, 'PROFILE-03', before, 'GET /profile');
    const made = await makeProfile(t);
    const kept = await makeProfile(t);
    t.expect(
      'PROFILE-02',
      leavesOf(payloadOf(made.created)).some(({ value }) => value === made.id),
      `POST /profile with the id "${made.id}": expected a profile of that id, got ${summarize(made.created)}`,
      made.created,
    );
    const lists = (id: string) => (response: ApiResponse) => mentions(payloadOf(response), id);
    const list = () => t.send('listProfiles');
    const listed = await eventually(
      t,
      list,
      (response) => lists(made.id)(response) && lists(kept.id)(response),
    );
    t.expect(
      'PROFILE-03',
      Array.isArray(listed.r) && lists(made.id)(listed) && lists(kept.id)(listed) && !lists(made.id)(before),
      `GET /profile: expected an array with the profiles "${made.id}" and "${kept.id}" that were just made, got ${summarize(listed)}`,
      before,
      listed,
    );
    if (!lists(made.id)(listed))
      t.inconclusive(`the profile "${made.id}" is not listed, so nothing shows that it goes`);
    await goes(t, made, kept.id, 'deleteProfile', 'PROFILE-04');
  },
};

/** Deletes a profile that is listed together with another one, and sees that it and only it is gone. */
async function goes(
  t: TestContext,
  made: MadeProfile,
  kept: string,
  operation: OperationId,
  requirement: 'PROFILE-04' | 'BROWSER-04',
): Promise<void> {
  const remove = (profile_id: string) => t.send(operation, { path: { profile_id } });
  const never = await remove(unlike(made.id));
  const deleted = await remove(made.id);
  if (operation === 'deleteBrowserProfile') served(t, deleted, 'DELETE /browser/profile/{profile_id}');
  mustFollow(t, requirement, deleted, `DELETE of the profile "${made.id}"`);
  const after = await eventually(
    t,
    () => t.send('listProfiles'),
    (response) => !mentions(payloadOf(response), made.id),
  );
  const isListed = mentions(payloadOf(after), made.id);
  if (
    t.expect(
      requirement,
      after.ok && !isListed && mentions(payloadOf(after), kept),
      `GET /profile after the profile "${made.id}" was deleted: expected it to be gone and "${kept}" to be there, got ${summarize(after)}`,
      deleted,
      after,
    )
  )
    made.gone();
  const again = await remove(made.id);
  if (isGone(never, deleted, again) === false)
    t.fail(requirement, stillThere('DELETE of a profile', never, again), never, deleted, again);
}

const oldPaths: TestCase = {
  id: 'resources/profile-old-paths',
  title: 'The deprecated operations list and delete the same profiles',
  covers: ['BROWSER-03', 'BROWSER-04', 'VERSION-04'],
  operations: ['createProfile', 'listProfiles', 'listBrowserProfiles', 'deleteBrowserProfile'],
  async run(t: TestContext) {
    const list = () => t.send('listBrowserProfiles');
    const before = await list();
    served(t, before, 'GET /browser/profile');
    mustSucceed(t, 'BROWSER-03', before, 'GET /browser/profile');
    const made = await makeProfile(t);
    const kept = await makeProfile(t);
    const shows = (response: ApiResponse) => mentions(payloadOf(response), made.id);
    const listed = await eventually(t, list, shows);
    t.expect(
      'BROWSER-03',
      isRecord(listed.r) && shows(listed) && !shows(before),
      `GET /browser/profile: expected a record of the profiles with "${made.id}", which was just made, got ${summarize(listed)}`,
      before,
      listed,
    );
    const known = await t.send('listProfiles');
    if (!mentions(payloadOf(known), made.id) || !mentions(payloadOf(known), kept.id))
      t.inconclusive('GET /profile does not list the profiles, so nothing shows that one goes');
    await goes(t, made, kept.id, 'deleteBrowserProfile', 'BROWSER-04');
    t.expect('VERSION-04', true, '', listed);
  },
};

/** A deprecated operation that answers with "no such operation" is not served any more. */
export function served(t: TestContext, response: ApiResponse, what: string): void {
  if (![404, 405, 410, 501].includes(response.status)) return;
  t.fail(
    'VERSION-04',
    `${what}, deprecated: expected it to be served still, got ${summarize(response)}`,
    response,
  );
}

/** A record may well be an array. */
export function isRecord(value: unknown): boolean {
  return asFields(value) !== undefined || Array.isArray(value);
}

export const profileCases: readonly TestCase[] = [profile, oldPaths];
