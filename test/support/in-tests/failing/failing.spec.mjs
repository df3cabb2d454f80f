import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withMock } from 'taskdouble';

// It fails, on purpose: what node:test prints about it is looked into by create-mock.test.ts.
it('fails by an assertion', () =>
  withMock(async (mock) => {
    const headers = { apikey: 'my-key', 'content-type': 'application/json' };
    await mock.fetch('http://mock/api/v1/task', { method: 'POST', headers, body: '{"task":"one"}' });
    assert.equal(2, 3, 'two is not three');
  }));
