import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { conform } from '../../conformance/conform.js';
import { mockTarget } from '../../conformance/service/http-client/in-process.js';
import { ALLOWANCES } from '../../conformance/service/test-case/test-case.js';
import { Mock } from '../../mock/mock.js';
import { FIXTURES } from '../mutants/fixtures.js';
import { KEYS, listFailed, MAIN } from '../mutants/judge.js';
import { type FrontOptions, openFront } from './front.js';

/** What happens to connections, on a port. The time of the mock is virtual all the same. */

const used = new WeakSet<object>();

/** Resets a connection on which a response was sent before, one in ten. */
function resetIdle() {
  let reused = 0;
  return ({ socket }: IncomingMessage) => {
    const isReset = used.has(socket) && ++reused % 10 === 0;
    used.add(socket);
    if (isReset) socket.resetAndDestroy();
    return isReset;
  };
}

/** Refuses an upload without a good key as soon as its head is there, and resets the connection with the body unread. */
const refuseEarly: NonNullable<FrontOptions['intercept']> = (request, response) => {
  const { apikey = '', cookie = '', 'content-type': type = '' } = request.headers;
  const hasKey = /-key/.test(`${apikey}${cookie}`);
  if (!type.startsWith('multipart/') || hasKey) return false;
  request.pause();
  const body = '{"detail":"No such key"}';
  const head = { 'content-type': 'application/json', 'content-length': body.length, connection: 'close' };
  response.writeHead(401, head).end(body);
  request.socket.resetAndDestroy();
  return true;
};

const isReset = resetIdle();

const CARRIAGES: Record<string, FrontOptions> = {
  'sends compressed bodies in pieces, after early hints, and closes the connection after each response': {
    headers: () => ({ connection: 'close' }),
    isCompressed: true,
    pieces: 3,
  },
  'resets connections that were idle, and those of uploads that it refuses before it has read them': {
    intercept: (request, response) => refuseEarly(request, response) || isReset(request),
  },
};

describe('the suite fails nothing of a service that', () => {
  it.each(Object.entries(CARRIAGES))('%s', async (_, carriage) => {
    const mock = new Mock({ clock: 'manual', fixtures: FIXTURES });
    await mock.ready;
    const { fetch, clock } = mockTarget(mock);
    const front = await openFront(fetch, carriage);
    try {
      const { baseUrl } = front;
      const options = {
        baseUrl,
        clock,
        apiKey: MAIN,
        keys: KEYS,
        allow: ALLOWANCES,
        concurrency: 1,
        seed: 1,
      };
      const report = await conform(options);
      expect(listFailed(report).map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
      expect(report).toMatchObject({ faults: [], left: [] });
      expect(report.summary.passed).toBeGreaterThan(825);
    } finally {
      await front.close();
      await mock.close();
    }
  });
});
