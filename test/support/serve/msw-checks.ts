import assert from 'node:assert/strict';
import { get } from 'node:https';
import type { SetupServer } from 'msw/node';
import type { Mock } from '../../../mock/mock.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';
import type { handlers as Handlers } from '../../../mock/serve/msw.js';

/** What the checks are about, from the sources or as it is installed somewhere: nothing here is imported but types. */
export interface MswParts {
  server: Pick<SetupServer, 'use'>;
  createMock: (options?: MockOptions) => Mock;
  handlers: typeof Handlers;
}

export type MswCheck = (parts: MswParts) => Promise<void>;

const BASE_URL = 'https://service.example';
const KEY = { apikey: 'k' };
const JSON_BODY = { ...KEY, 'content-type': 'application/json' };

/** Puts a mock behind `baseUrl`, and closes it afterwards. */
async function serveMock(
  { server, createMock, handlers }: MswParts,
  options: MockOptions,
  body: (mock: Mock) => Promise<void>,
): Promise<void> {
  const mock = createMock(options);
  try {
    server.use(...handlers(mock, { baseUrl: BASE_URL }));
    await body(mock);
  } finally {
    await mock.close();
  }
}

const fetchUsage = (init: RequestInit = {}) => fetch(`${BASE_URL}/api/v1/usage`, { headers: KEY, ...init });

async function createTask(body: object = { task: 'Find tea' }): Promise<string> {
  const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) };
  return (await (await fetch(`${BASE_URL}/api/v1/task`, init)).json()).r.id;
}

function getByNodeHttp(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = get(BASE_URL + path, { headers: KEY }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.once('error', reject).once('end', () => resolve(text));
    });
    sent.once('error', reject);
  });
}

/** Until a request has reached the mock and is kept there. */
async function waitForRequest(mock: Mock): Promise<void> {
  while (mock.health().inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
}

/** What MSW has to do the same in each of its versions, in Node.js. */
export const MSW_CHECKS: Readonly<Record<string, MswCheck>> = {
  'answers 202 while a task runs and 200 once it is done': (parts) =>
    serveMock(parts, { clock: 'manual' }, async (mock) => {
      const id = await createTask();
      const poll = () => fetch(`${BASE_URL}/api/v1/task/${id}`, { headers: KEY });
      assert.equal((await poll()).status, 202);
      await mock.clock.advance('10m');
      const done = await poll();
      assert.equal(done.status, 200);
      assert.equal((await done.json()).r.status, 'done');
    }),

  'keeps an answer for as long as the mock’s clock says': (parts) =>
    serveMock(parts, { clock: 'manual', network: [{ network: 'delay', time_ms: 200 }] }, async (mock) => {
      let status: number | undefined;
      const answer = fetchUsage().then((response) => {
        status = response.status;
      });
      await waitForRequest(mock);
      await mock.clock.advance(199);
      assert.equal(status, undefined);
      await mock.clock.advance(1);
      await answer;
      assert.equal(status, 200);
    }),

  'is a network error where the answer is lost': (parts) =>
    serveMock(parts, { network: [{ network: 'drop', side: 'response' }] }, async (mock) => {
      await assert.rejects(fetchUsage(), TypeError);
      const [exchange] = mock.journal();
      assert.equal(exchange?.operation, 'getUsage');
      assert.equal(exchange?.response, undefined);
    }),

  // MSW 3 fails the request as a whole: it closes the socket before the beginning has left.
  'fails where a body is cut off': (parts) =>
    serveMock(parts, { network: [{ network: 'truncate', bytes: 10 }] }, async (mock) => {
      await assert.rejects(fetchUsage().then((answer) => answer.text()));
      assert.equal(mock.journal()[0]?.response?.status, 200);
    }),

  'loses and cuts off for a client that uses node:http too': (parts) =>
    serveMock(
      parts,
      {
        network: [
          { network: 'drop', side: 'response', times: 1 },
          { network: 'truncate', bytes: 10 },
        ],
      },
      async () => {
        await assert.rejects(getByNodeHttp('/api/v1/usage'));
        await assert.rejects(getByNodeHttp('/api/v1/usage'));
      },
    ),

  'takes files, with every byte of theirs': (parts) =>
    serveMock(parts, {}, async (mock) => {
      const form = new FormData();
      form.set('file', new File([Uint8Array.from({ length: 256 }, (_, byte) => byte)], 'bytes.bin'));
      const answer = await fetch(`${BASE_URL}/api/v1/file`, { method: 'POST', headers: KEY, body: form });
      assert.equal(answer.status, 200);
      const { id } = (await answer.json()).r;
      assert.match(JSON.stringify(mock.snapshot('k')), new RegExp(`"id":"${id}"[^}]*"size":256`));
    }),

  'gives downloads as they are, byte for byte': (parts) =>
    serveMock(parts, { clock: 'manual' }, async (mock) => {
      const id = await createTask();
      await mock.clock.advance('10m');
      const address = `/downloads/${id}.zip`;
      const zip = new Uint8Array(await (await fetch(BASE_URL + address)).arrayBuffer());
      assert.deepEqual([...zip.subarray(0, 2)], [...new TextEncoder().encode('PK')]);
      const own = new Uint8Array(await (await mock.fetch(address)).arrayBuffer());
      assert.deepEqual(zip, own);
    }),

  'gives answers without a body': (parts) => {
    const empty = { setBaseUrl() {}, fetch: async () => new Response(null, { status: 204 }) };
    parts.server.use(...parts.handlers(empty, { baseUrl: BASE_URL }));
    return fetchUsage().then(async (answer) => {
      assert.deepEqual([answer.status, await answer.text()], [204, '']);
    });
  },

  'lets a client give up, and tells the mock of it': (parts) =>
    serveMock(parts, { clock: 'manual', network: [{ network: 'delay', time_ms: 60_000 }] }, async (mock) => {
      const leaving = new AbortController();
      let toldMock = false;
      const fetch: Mock['fetch'] = (input, init) => {
        init?.signal?.addEventListener('abort', () => {
          toldMock = true;
        });
        return mock.fetch(input, init);
      };
      parts.server.use(...parts.handlers({ fetch, setBaseUrl() {} }, { baseUrl: BASE_URL }));
      const answer = fetchUsage({ signal: leaving.signal });
      answer.catch(() => {});
      await waitForRequest(mock);
      leaving.abort();
      await assert.rejects(answer, { name: 'AbortError' });
      assert.ok(toldMock);
    }),

  'takes light responses of a mock': (parts) =>
    serveMock(parts, { lightResponses: true }, async () => {
      const answer = await fetchUsage();
      assert.equal(answer.status, 200);
      assert.equal((await answer.json()).r.plan !== undefined, true);
    }),

  'lets several mocks stand side by side, below one another too': async (parts) => {
    const { server, createMock, handlers } = parts;
    const mocks = [createMock(), createMock(), createMock()];
    const addresses = [BASE_URL, `${BASE_URL}/sub`, 'https://other.example'];
    server.use(...mocks.flatMap((mock, index) => handlers(mock, { baseUrl: addresses[index]! })));
    for (const [index, address] of addresses.entries())
      for (let n = 0; n <= index; n++) await fetch(`${address}/api/v1/usage`, { headers: KEY });
    assert.deepEqual(
      mocks.map((mock) => mock.journal().length),
      [1, 2, 3],
    );
    await Promise.all(mocks.map((mock) => mock.close()));
  },

  'leaves other hosts, other paths and the admin API to what MSW does with them': (parts) =>
    serveMock(parts, {}, async (mock) => {
      for (const address of [
        'https://elsewhere.example/api/v1/usage',
        'https://service.example.org/api/v1/usage',
        `${BASE_URL}/other`,
        `${BASE_URL}/__admin/health`,
      ]) {
        await assert.rejects(fetch(address, { headers: KEY }), address);
      }
      assert.deepEqual(mock.journal(), []);
    }),

  'is a network error once the mock is closed': async (parts) => {
    await serveMock(parts, {}, async () => {});
    await assert.rejects(fetchUsage(), TypeError);
  },
};
