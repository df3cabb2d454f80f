import { afterEach, expect, it } from 'vitest';
import type { Mock } from '../../../mock/mock.js';
import { InTestClient } from '../../../test/support/in-tests/client.js';
import { createMock } from '../create-mock.js';
import { formatTimeline } from './timeline.js';

let mock: Mock;
afterEach(() => mock.close());

const read = (query: string, accept?: string) =>
  mock.fetch(`http://127.0.0.1/__admin/timeline${query}`, { headers: accept ? { accept } : {} });

it('GET /__admin/timeline has the text of a failing test, of one key or one task', async () => {
  mock = createMock({ clock: 'manual' });
  const one = await new InTestClient(mock, 'one').start('polling/one-shot');
  const second = await new InTestClient(mock, 'one').start('polling/one-shot');
  await new InTestClient(mock, 'two').start('polling/one-shot');
  const response = await read('?key=one');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toBe(`${formatTimeline(mock, 'one')}\n`);
  expect(await (await read('')).text()).toContain('  org-2:\n');
  const ofTask = await (await read(`?task=${second}`)).text();
  expect(ofTask).toContain(second.slice(0, 8));
  expect(ofTask).not.toContain(one.slice(0, 8));
  expect((await read(`?key=two&task=${one}`)).status).toBe(404);
  expect(await (await read('?key=three')).text()).toBe('  (the mock received no request)\n');
});

it('GET /__admin/timeline has the lines as JSON', async () => {
  mock = createMock({ clock: 'manual' });
  const task = await new InTestClient(mock, 'one').start('polling/one-shot');
  const { timelines } = (await (await read('?key=one', 'application/json')).json()) as {
    timelines: { organisation: string; lines: object[] }[];
  };
  expect(timelines).toMatchObject([
    {
      organisation: 'org-1',
      start: 1_767_225_600_000,
      lines: [
        {
          at: 1_767_225_600_000,
          actor: 'client',
          text: expect.stringMatching(/^POST \/task → 200/),
          task,
          seq: 1,
        },
        { actor: 'now', task, events: [] },
      ],
    },
  ]);
});
