import { TEXT_ENDS } from '../../../common/interesting-values.js';
import { readField, show } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { attempt } from '../../operations/requests.js';
import { readPayload, readRows } from '../../test-case/read-record.js';
import { requireFollowUp, requireSuccess } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

function listIds(response: ApiResponse): unknown[] {
  return (readRows(readPayload(response)) ?? []).map((row) => readField(row, 'id'));
}

/** Undefined if the profile has another id than the given one, or if the id is refused: its bounds are not stated. */
async function createProfile(t: TestContext, id: string): Promise<ApiResponse | undefined> {
  const request = t.amend('createProfile', { body: { id } });
  const created = await attempt(t, 'createProfile', request, { mayBeRefused: true });
  return created.ok ? created : undefined;
}

export const profileIdCase: TestCase = {
  id: 'resources/profile-ids-of-any-text',
  title: 'A profile is created, listed and deleted with the id that the client chose, whatever text that is',
  covers: ['PROFILE-02', 'PROFILE-03', 'PROFILE-04'],
  operations: ['createProfile', 'listProfiles', 'deleteProfile'],
  async run(t) {
    const plain = t.unique();
    const first = await createProfile(t, plain);
    const before = await t.send('listProfiles');
    requireSuccess(t, 'PROFILE-03', before, 'GET /profile');
    // Whether the client chooses the id shows with a usual one.
    if (readField(first?.r, 'id') !== plain || !listIds(before).includes(plain))
      return t.inconclusive('a profile does not have the id that the client chose');
    const profiles = [{ id: plain, created: first! }];
    for (const end of [...Object.values(TEXT_ENDS), ' ']) {
      // All begin with the first one, which is deleted before them.
      const id = end === ' ' ? ` ${t.unique()} ` : plain + end;
      const created = await createProfile(t, id);
      if (created) profiles.push({ id, created });
    }
    const listed = await t.send('listProfiles');
    requireFollowUp(t, 'PROFILE-03', listed, 'GET /profile');
    const shown = listIds(listed);
    for (const { id, created } of profiles) {
      const got = readField(created.r, 'id');
      const message = `POST /profile with the id ${show(id)}: expected a profile with that id, got ${show(got)}`;
      t.expect('PROFILE-02', got === id, message, created);
      const there = `GET /profile: expected the profile ${show(id)}, which was just created, got ${summarize(listed)}`;
      t.expect('PROFILE-03', shown.includes(id), there, created, listed);
      const deleted = await t.send('deleteProfile', { path: { profile_id: id } });
      const gone = `DELETE /profile/{profile_id} of ${show(id)}: expected it to be removed, got ${summarize(deleted)}`;
      t.expect('PROFILE-04', deleted.ok, gone, created, deleted);
      if (id !== plain || !deleted.ok) continue;
      const left = await t.send('listProfiles');
      const lost = profiles.find((other) => other.id !== id && !listIds(left).includes(other.id));
      const kept = `GET /profile after ${show(id)} was deleted: expected every other profile, got none with the id ${show(lost?.id)}: ${summarize(left)}`;
      if (left.ok) t.expect('PROFILE-04', lost === undefined, kept, listed, deleted, left);
    }
  },
};
