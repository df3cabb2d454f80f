import type { TestCase } from '../test-case/test-case.js';
import { isRefused, observeStatus } from './observe.js';

/** `auth.missing-key`, `auth.invalid-key`. */
export const keys: TestCase = {
  id: 'auth/point-keys',
  title: 'What answers a request without a key, and one with a key that is not valid',
  covers: ['AUTH-05', 'AUTH-06'],
  operations: ['listTasks'],
  async run(t) {
    const query = { l: 1 };
    const known = await t.send('listTasks', { query });
    if (!known.ok) t.inconclusive(`with the key GET /task is answered with ${known.status}`);
    const missing = await t.send('listTasks', { query, key: null });
    observeStatus(t, 'auth.missing-key', missing);
    if (missing.ok || isRefused(missing)) {
      const message = `GET /task without a key: expected a refusal, got ${missing.status}`;
      t.expect('AUTH-05', isRefused(missing), message, known, missing);
    }
    const invalid = await t.send('listTasks', { query, key: { value: `invalid-${t.unique()}` } });
    observeStatus(t, 'auth.invalid-key', invalid);
    if (invalid.ok || isRefused(invalid)) {
      const message = `GET /task with a made-up key: expected a refusal, got ${invalid.status}`;
      t.expect('AUTH-06', isRefused(invalid), message, known, invalid);
    }
  },
};
