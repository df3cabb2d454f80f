import { expect, it } from 'vitest';
import { createMock } from '../../index.js';

const headers = { apikey: 'k', 'content-type': 'application/json' };

it('an unknown scenario in the header is refused with the closest name and the path of the list', async () => {
  const mock = createMock();
  const body = JSON.stringify({ task: 'x' });
  const named = { ...headers, 'x-taskdouble-scenario': 'polling/one-shoot' };
  const response = await mock.fetch('/api/v1/task', { method: 'POST', headers: named, body });
  expect(response.status).toBe(400);
  expect((await response.json()).detail).toMatch(
    /"polling\/one-shoot".*Did you mean polling\/one-shot\? GET \/__admin\/scenarios lists/,
  );
  await mock.close();
});

it('ordinary tasks get no note about library scenarios, with or without the library', async () => {
  for (const [library, task] of [
    [true, 'Order a pizza with mushrooms'],
    [false, 'Tell me the title of the page at https://example.com.'],
  ] as const) {
    const mock = createMock({ library });
    await mock.fetch('/api/v1/task', { method: 'POST', headers, body: JSON.stringify({ task }) });
    expect(mock.journal()[0]).not.toHaveProperty('notes');
    await mock.close();
  }
});
