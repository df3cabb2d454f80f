import { writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import type { DescribeOptions } from '../../../conformance/in-tests/describe-conformance.js';
import { mockTarget } from '../../../conformance/service/http-client/in-process.js';
import { Mock } from '../../../mock/mock.js';

const mock = new Mock({ clock: 'manual', lightResponses: true });
const { fetch, clock } = mockTarget(mock);

/** Method and path of each request to the mock, written to the file DOOR_SENT. */
const sent: string[] = [];
afterAll(() => writeFileSync(process.env.DOOR_SENT!, JSON.stringify(sent)));

/** The mock in virtual time; DOOR_FAULT selects a fault. */
export function createTarget(): DescribeOptions {
  return {
    baseUrl: async () => 'http://mock.test',
    apiKey: 'door-key-1234',
    clock,
    concurrency: 1,
    strict: process.env.DOOR_STRICT === '1',
    async fetch(input, init) {
      sent.push(`${init?.method ?? 'GET'} ${input.replace('http://mock.test/api/v1', '')}`);
      if (process.env.DOOR_FAULT === 'nothing') return Response.json({});
      if (process.env.DOOR_FAULT === 'usage' && input.endsWith('/usage')) {
        return Response.json({ r: 'door-key-1234' }, { status: 201 });
      }
      return fetch(input, init);
    },
  };
}
