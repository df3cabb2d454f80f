import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MOST_ATTACHMENT_TEXT } from '../../mock/api/chats.js';
import { DEFAULT_LIMITS } from '../../mock/options/mock-options.js';
import { PointClient } from '../support/open-points/client.js';

const page = readFileSync(new URL('../../docs/dialects.md', import.meta.url), 'utf8');
const [, section] = page.split('### Limits of the mock');
const stated = [...section!.split('\n#')[0]!.matchAll(/^\| ([A-Z][^|]+) \| ([\d,]+) \| ([^|]+) \|$/gm)].map(
  ([, limit, most, beyond]) => ({ limit: limit!, most: Number(most!.replaceAll(',', '')), beyond: beyond! }),
);

/** The status of a request of that size. */
const requests: Readonly<Record<string, (client: PointClient, size: number) => Promise<number>>> = {
  'Levels of a JSON body': (client, levels) => {
    const list = JSON.parse(`${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`);
    return client.sendForStatus('POST', '/telemetry', { events: [], more: list });
  },
  'Parts of a form': (client, parts) => {
    const form = new FormData();
    form.set('file', new Blob(['x']), 'x.txt');
    for (let n = 1; n < parts; n++) form.set(`part-${n}`, 'x');
    return client.sendForStatus('POST', '/file', undefined, { form });
  },
  'Characters of a profile id': (client, length) =>
    client.sendForStatus('POST', '/profile', { id: 'x'.repeat(length) }),
};

/** Limits that only a large amount of data reaches. */
const constants: Readonly<Record<string, number>> = {
  'Characters in the attachments of an organisation': MOST_ATTACHMENT_TEXT,
  'Finished tasks of an organisation': DEFAULT_LIMITS.finishedTasks,
  'Active tasks of an organisation': DEFAULT_LIMITS.activeTasks,
  'Events of a task': DEFAULT_LIMITS.eventsPerTask,
  'Organisations (keys)': DEFAULT_LIMITS.organisations,
};

describe('the limits in docs/dialects.md', () => {
  it('are the ones that are known here', () => {
    const known = [...Object.keys(requests), ...Object.keys(constants)];
    expect(stated.map(({ limit }) => limit).sort()).toEqual(known.sort());
  });

  it.each(stated)('$limit: $most', async ({ limit, most, beyond }) => {
    const request = requests[limit];
    if (!request) return expect(most).toBe(constants[limit]);
    const client = new PointClient();
    expect(await request(client, most)).toBe(200);
    expect(await request(client, most + 1)).toBe(Number(beyond));
  });
});
