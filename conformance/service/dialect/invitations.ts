import { asFields } from '../../conversation/json.js';
import { summarize } from '../test-case/read-task.js';
import { mustSucceed } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import { observe } from './observe.js';

/** `org.invite-address`. */
export const invitations: TestCase = {
  id: 'resources/point-invitations',
  title: 'Whether a text that is no address can be invited',
  covers: ['ORG-01'],
  operations: ['inviteUser'],
  allow: 'organisation',
  async run(t) {
    const name = t.unique();
    const invited = await t.send('inviteUser', { query: { email: `${name}@example.com` } });
    mustSucceed(t, 'ORG-01', invited, 'POST /org/user');
    const counts = Object.values(asFields(invited.r) ?? {});
    const message = `POST /org/user: expected a map to integers in r, got ${summarize(invited)}`;
    if (counts.length > 0) t.expect('ORG-01', counts.every(Number.isInteger), message, invited);
    const text = await t.send('inviteUser', { query: { email: name } });
    if (text.ok) observe(t, 'org.invite-address', 'any-text', text);
    if (text.status === 400 || text.status === 422)
      observe(t, 'org.invite-address', 'checked', invited, text);
  },
};
