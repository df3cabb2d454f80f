import { Admin, isAdmin } from './admin/admin.js';
import { LARGEST_ADMIN_BODY } from './admin/admin-request.js';
import { ADMIN_ROUTES } from './admin/admin-routes.js';
import { CLIENT_ROUTES } from './admin/client-routes.js';
import { isMcp, LARGEST_MCP_BODY, respondToMcp } from './admin/mcp-endpoint.js';
import { ControlledMock } from './control/controlled-mock.js';
import { isForm } from './exchange/body.js';
import type { WireRequest } from './exchange/wire.js';
import { checkListen, checkOptions } from './options/check-options.js';
import type { ListenOptions, MockOptions, MockServer, MockTime } from './options/mock-options.js';
import { servePage } from './pages/pages.js';
import { serveFile } from './pages/serve-files.js';
import { createFetch, type Fetch } from './serve/fetch.js';
import { allowOrigins, createListeners, type Listeners } from './serve/listeners.js';
import { getService, type MockService } from './service.js';
import { VirtualMockTime } from './virtual-time/mock-time.js';

/**
 * A mock of the service. `key` selects the organisation of this API key: each has its own state, clock and journal. Methods without a key
 * concern all organisations. They throw (or reject with) MockError if the named object does not exist or the call is not possible.
 */
export class Mock extends ControlledMock {
  /** Responds in process, without a port; waits for `ready`. */
  readonly fetch: Fetch;
  /** Runs clients on virtual time. */
  readonly time: MockTime;
  readonly #service: MockService;
  readonly #listeners: Listeners;
  #isReady = false;
  #isClosed = false;

  /** Throws TypeError for an unknown or invalid option or dialect choice. */
  constructor(options: MockOptions = {}) {
    checkOptions(options);
    super(options, (request) => {
      if (isAdmin(request.url)) return admin.handle(request);
      if (isMcp(request.url)) return respondToMcp(request, options.serveMcp, options.adminToken);
      return this.#servePage(request);
    });
    this.#service = getService(this);
    const { organisations, pipeline } = this.#service;
    const routes = options.clientRuns ? { ...ADMIN_ROUTES, ...CLIENT_ROUTES } : ADMIN_ROUTES;
    const admin = new Admin<ControlledMock>(this, options.adminToken, routes, organisations);
    const handle = allowOrigins((request) => pipeline.handle(request));
    const readBodyLimit = (request: Pick<WireRequest, 'url' | 'headers'>) => this.#readBodyLimit(request);
    const onFault = (error: unknown) => this.#service.reportFault(error);
    this.#listeners = createListeners(handle, { mostBytes: readBodyLimit, onFault });
    const time = new VirtualMockTime(this);
    this.time = time;
    const fetch = createFetch(handle, readBodyLimit, options.lightResponses);
    this.fetch = (input, init) => {
      if (this.#isClosed) return Promise.reject(new TypeError('fetch failed: this mock has been closed'));
      const response = this.#isReady ? fetch(input, init) : this.ready.then(() => fetch(input, init));
      return time.handOver?.(response) ?? response;
    };
    this.ready.then(
      () => {
        this.#isReady = true;
      },
      () => {},
    );
  }

  /** Opens a port, any free one by default. Rejects with the system's error if the port is not available. */
  async listen(where: ListenOptions = {}): Promise<MockServer> {
    checkListen(where);
    await this.ready;
    const server = await this.#listeners.listen(where);
    this.setBaseUrl(server.baseUrl);
    return server;
  }

  /** Closes every port and cancels all planned work. */
  async close(): Promise<void> {
    await this.ready.catch(() => {});
    await this.#listeners.close();
    this.#service.stop();
    this.#isClosed = true;
  }

  #servePage(request: WireRequest) {
    const needsToken = this.#service.options.adminToken !== undefined;
    const live = { kind: 'live', target: 'mock', baseUrl: this.baseUrl, needsToken } as const;
    return serveFile(request, live) ?? servePage(this.#service, request);
  }

  /** Forms have overhead around the file, and the admin API must accept the largest state that it returns. */
  #readBodyLimit({ url, headers }: Pick<WireRequest, 'url' | 'headers'>): number {
    if (isAdmin(url)) return LARGEST_ADMIN_BODY;
    if (isMcp(url)) return LARGEST_MCP_BODY;
    const { dialect } = this.#service;
    return isForm({ headers })
      ? Number(dialect['limits.upload-size']) + 64 * 1024
      : Number(dialect['limits.body-size']);
  }
}
