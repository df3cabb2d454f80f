import assert from 'node:assert/strict';
import { setupServer } from 'msw/node';
import { createMock } from 'taskdouble';
import { handlers } from 'taskdouble/msw';

const mock = createMock();
const server = setupServer(...handlers(mock, { baseUrl: 'https://service.example' }));
server.listen();
const answer = await fetch('https://service.example/api/v1/task', {
  method: 'POST',
  headers: { apikey: 'demo', 'content-type': 'application/json' },
  body: '{"task": "Find the price of tea"}',
});
assert.equal(answer.status, 200);
server.close();
await mock.close();

// @ts-expect-error it has to be said where the service is
assert.throws(() => handlers(mock));
