import assert from 'node:assert/strict';
import { get } from 'node:https';
import type { SetupServer } from 'msw/node';
import type { Mock } from '../../../mock/mock.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';
import type { handlers as Handlers } from '../../../mock/serve/msw.js';

/** The tested parts, from the sources or from an installation: this file imports only types. */
interface MswParts {
  server: Pick<SetupServer, 'use'>;
  createMock: (options?: MockOptions) => Mock;
  handlers: typeof Handlers;
}

type MswCheck = (parts: MswParts) => Promise<void>;

const BASE_URL = 'https://service.example';
const KEY = { apikey: 'k' };
const JSON_BODY = { ...KEY, 'content-type': 'application/json' };

/** Serves a mock at `baseUrl`, and closes it afterwards. */
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
    const sent = get(BASE_URL + path, { headers: KEY }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject).once('end', () => resolve(text));
    });
    sent.once('error', reject);
  });
}

/** Resolves when a request is pending in the mock. */
async function waitForRequest(mock: Mock): Promise<void> {
  while (mock.health().inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
}

/** Behaviour that must be the same in all versions of MSW, in Node.js. */
export const MSW_CHECKS: Readonly<Record<string, MswCheck>> = {
  'responds 202 while a task runs and 200 once it is done': (parts) =>
    serveMock(parts, { clock: 'manual' }, async (mock) => {
      const id = await createTask();
      const poll = () => fetch(`${BASE_URL}/api/v1/task/${id}`, { headers: KEY });
      assert.equal((await poll()).status, 202);
      await mock.clock.advance('10m');
      const done = await poll();
      assert.equal(done.status, 200);
      assert.equal((await done.json()).r.status, 'done');
    }),

  'delays a response by the clock of the mock': (parts) =>
    serveMock(parts, { clock: 'manual', network: [{ network: 'delay', time_ms: 200 }] }, async (mock) => {
      let status: number | undefined;
      const response = fetchUsage().then((response) => {
        status = response.status;
      });
      await waitForRequest(mock);
      await mock.clock.advance(199);
      assert.equal(status, undefined);
      await mock.clock.advance(1);
      await response;
      assert.equal(status, 200);
    }),

  'is a network error if the response is lost': (parts) =>
    serveMock(parts, { network: [{ network: 'drop', side: 'response' }] }, async (mock) => {
      await assert.rejects(fetchUsage(), TypeError);
      const [exchange] = mock.journal();
      assert.equal(exchange?.operation, 'getUsage');
      assert.equal(exchange?.response, undefined);
    }),

  // MSW 3 fails the whole request: it closes the socket before the first bytes are sent.
  'fails if a body is truncated': (parts) =>
    serveMock(parts, { network: [{ network: 'truncate', bytes: 10 }] }, async (mock) => {
      await assert.rejects(fetchUsage().then((response) => response.text()));
      assert.equal(mock.journal()[0]?.response?.status, 200);
    }),

  'drops and truncates responses also for node:http': (parts) =>
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

  'uploads files byte for byte': (parts) =>
    serveMock(parts, {}, async (mock) => {
      const form = new FormData();
      form.set('file', new File([Uint8Array.from({ length: 256 }, (_, byte) => byte)], 'bytes.bin'));
      const response = await fetch(`${BASE_URL}/api/v1/file`, { method: 'POST', headers: KEY, body: form });
      assert.equal(response.status, 200);
      const { id } = (await response.json()).r;
      assert.match(JSON.stringify(mock.snapshot('k')), new RegExp(`"id":"${id}"[^}]*"size":256`));
    }),

  'returns downloads byte for byte': (parts) =>
    serveMock(parts, { clock: 'manual' }, async (mock) => {
      const id = await createTask();
      await mock.clock.advance('10m');
      const address = `/downloads/${id}.zip`;
      const zip = new Uint8Array(await (await fetch(BASE_URL + address)).arrayBuffer());
      assert.deepEqual([...zip.subarray(0, 2)], [...new TextEncoder().encode('PK')]);
      const own = new Uint8Array(await (await mock.fetch(address)).arrayBuffer());
      assert.deepEqual(zip, own);
    }),

  'returns responses without a body': (parts) => {
    const empty = { setBaseUrl() {}, fetch: async () => new Response(null, { status: 204 }) };
    parts.server.use(...parts.handlers(empty, { baseUrl: BASE_URL }));
    return fetchUsage().then(async (response) => {
      assert.deepEqual([response.status, await response.text()], [204, '']);
    });
  },

  'forwards an abort of the client to the mock': (parts) =>
    serveMock(parts, { clock: 'manual', network: [{ network: 'delay', time_ms: 60_000 }] }, async (mock) => {
      const leaving = new AbortController();
      let isAborted = false;
      const fetch: Mock['fetch'] = (input, init) => {
        init?.signal?.addEventListener('abort', () => {
          isAborted = true;
        });
        return mock.fetch(input, init);
      };
      parts.server.use(...parts.handlers({ fetch, setBaseUrl() {} }, { baseUrl: BASE_URL }));
      const response = fetchUsage({ signal: leaving.signal });
      response.catch(() => {});
      await waitForRequest(mock);
      leaving.abort();
      await assert.rejects(response, { name: 'AbortError' });
      assert.ok(isAborted);
    }),

  'takes light responses of a mock': (parts) =>
    serveMock(parts, { lightResponses: true }, async () => {
      const response = await fetchUsage();
      assert.equal(response.status, 200);
      assert.equal((await response.json()).r.plan !== undefined, true);
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
