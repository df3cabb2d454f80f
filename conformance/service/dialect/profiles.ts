import { field } from '../../conversation/json.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { listIn, observe, observeStatus, textIn } from './observe.js';
import { removeTask } from './task.js';

/** `profile.duplicate`, `profile.empty-id`, `profile.unknown-in-task`. */
export const profiles: TestCase = {
  id: 'resources/point-profiles',
  title:
    'What becomes of a profile made twice or with an empty id, and of a task that names one that there is not',
  covers: ['PROFILE-02'],
  operations: ['createProfile', 'listProfiles', 'deleteProfile', 'createTask'],
  tasks: 1,
  async run(t) {
    const id = t.unique();
    const made = await t.send('createProfile', { body: { id } });
    if (made.status === 403) t.skip('the plan of this key has no profiles (403)');
    if (!made.ok) t.inconclusive(`POST /profile is answered with ${summarize(made)}`);
    removeProfile(t, id);
    const message = `POST /profile: expected a profile with the id ${id}, got ${summarize(made)}`;
    t.expect('PROFILE-02', field(made.r, 'id') === id, message, made);
    const again = await t.send('createProfile', { body: { id } });
    if (!again.ok || textIn(again, 'id') === id) observeStatus(t, 'profile.duplicate', again);

    const nameless = await t.send('createProfile', { body: { id: '' } });
    if (nameless.status === 400 || nameless.status === 422)
      observe(t, 'profile.empty-id', 'refused', nameless);
    const generated = textIn(nameless, 'id');
    if (generated !== undefined) {
      removeProfile(t, generated);
      observe(t, 'profile.empty-id', 'generated', nameless);
    }

    const unknown = t.unique();
    const task = await t.send('createTask', { body: { task: null, profile_id: unknown } });
    if (task.status === 404) observe(t, 'profile.unknown-in-task', '404', task);
    if (!task.ok) return;
    removeTask(t, task);
    const list = await t.send('listProfiles');
    if (!listIn(list).some((each) => field(each, 'id') === unknown)) return;
    removeProfile(t, unknown);
    observe(t, 'profile.unknown-in-task', 'made', task, list);
  },
};

function removeProfile(t: TestContext, profile_id: string): void {
  t.cleanup(`profile ${profile_id}`, () => t.send('deleteProfile', { path: { profile_id } }));
}
