import { Admin, isAdmin } from '../../mock/admin/admin.js';
import type { StreamSource } from '../../mock/admin/stream/live-stream.js';
import { type GateView, openGate, viewGates } from '../../mock/control/gates.js';
import { type KeyView, nameKey, viewKey } from '../../mock/control/keys.js';
import { loadNetwork } from '../../mock/control/load-options.js';
import { MockNetwork } from '../../mock/control/mock-network.js';
import { countContents } from '../../mock/control/views.js';
import { type JournalQuery, readJournal } from '../../mock/exchange/journal.js';
import type { MaybePromise, WireRequest, WireResponse } from '../../mock/exchange/wire.js';
import { checkListen, checkQuery } from '../../mock/options/check-options.js';
import type { GateTarget, ListenOptions, MockServer, PageReader } from '../../mock/options/mock-options.js';
import { needNode } from '../../mock/options/needs-node.js';
import { serveFile } from '../../mock/pages/serve-files.js';
import { STUDIO_PREFIX } from '../../mock/pages/studio-page.js';
import { callSafely } from '../../mock/pipeline/call-safely.js';
import { createFetch, type Fetch } from '../../mock/serve/fetch.js';
import type { ListeningServer } from '../../mock/serve/http.js';
import { Listeners } from '../../mock/serve/listeners.js';
import { isLoopbackHost } from '../../spec/addresses.js';
import { redactExchange } from '../../spec/redact.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import type { BothSidesJudge } from '../both-sides/both-sides.js';
import type { ConformReport } from '../service/runner/result.js';
import { PROXY_ROUTES, summarizeTask } from './admin-routes.js';
import { Forwarder } from './forward.js';
import { ProxyConnection } from './proxy-connection.js';
import { checkProxyOptions, type ProxyOptions } from './proxy-options.js';
import { ProxyError, type ProxyTarget, parseTarget, toUpstreamError } from './target.js';
import { createFetchUpstream, createLazyUpstream, type Upstream } from './upstream.js';

/** Time-out that allows long polls and slow bodies, ms. */
const TIMEOUT_MS = 5 * 60_000;
/** Time for a whole request with an upload, ms. */
const REQUEST_TIMEOUT_MS = 60 * 60_000;
const LARGEST_BODY = 64 * 1024 * 1024;

/** Counts of a proxy. */
export interface ProxyHealth {
  status: 'ok';
  target: string;
  organisations: number;
  tasks: number;
  exchanges: number;
  inFlight: number;
}

/** A proxy between clients and a service: forwards and judges their exchanges, and applies network rules. `key` selects clients by API key. */
export class ServiceProxy {
  /** Settled once the rules and the network rules are loaded. Rejects with InvalidFile. */
  readonly ready: Promise<void>;
  /** For clients in the same process, without a port. */
  readonly fetch: Fetch;
  readonly network: MockNetwork;
  readonly #target: ProxyTarget;
  readonly #options: ProxyOptions;
  readonly #connection: ProxyConnection;
  readonly #upstream: Upstream;
  readonly #forwarder: Forwarder;
  readonly #handle: (request: WireRequest) => MaybePromise<WireResponse>;
  readonly #listeners = new Listeners((where) => this.#openPort(where));
  readonly #onFault: (error: unknown) => void;
  #createJudge: (() => BothSidesJudge) | undefined;
  #judge: BothSidesJudge | undefined;
  #started = new Date();
  #startMs = performance.now();
  #isClosed = false;

  /** Throws TypeError for an unknown or invalid option. */
  constructor(options: ProxyOptions) {
    needNode('createProxy judges what passes', 'in a browser use createMock.');
    checkProxyOptions(options);
    const { seed = 1, fetch, insecure = false, timeoutMs = TIMEOUT_MS } = options;
    this.#options = options;
    this.#target = readTarget(options.target);
    const { onFault = (error) => console.error('taskdouble: internal error of the proxy:', error) } = options;
    this.#onFault = (error) => callSafely(onFault, [error]);
    const { origin } = this.#target;
    this.#upstream = fetch
      ? createFetchUpstream(fetch, origin)
      : createLazyUpstream(async () => {
          const { createHttpUpstream: httpUpstream } = await import('./http-upstream.js');
          return httpUpstream(origin, { insecure, timeoutMs });
        });
    const pseudonym = `taskdouble-${crypto.randomUUID().slice(0, 13)}`;
    this.#forwarder = new Forwarder(this.#target, this.#upstream, pseudonym, this.#onFault);
    this.#connection = new ProxyConnection({
      seed,
      origin: () => origin,
      forward: (context) => this.#forwarder.forward(context),
      onRecord: (exchange) => this.#recordExchange(exchange),
      onFault: this.#onFault,
    });
    this.network = new MockNetwork(this.#connection);
    const admin = new Admin<ServiceProxy>(
      this,
      options.adminToken,
      PROXY_ROUTES,
      this.#connection.organisations,
    );
    this.#handle = (request) => {
      if (isAdmin(request.url)) return admin.handle(request);
      return this.#serveStudio(request) ?? this.#connection.handle(request);
    };
    const inProcess = createFetch(this.#handle, () => LARGEST_BODY);
    this.fetch = async (input, init) => {
      if (this.#isClosed) throw new TypeError('fetch failed: this proxy has been closed');
      await this.ready;
      return inProcess(input, init);
    };
    this.ready = this.#load();
    // Prevents an unhandled rejection if the caller does not await it.
    this.ready.catch(() => {});
  }

  /** The `{base_url}` of the service. */
  get target(): string {
    return this.#target.baseUrl;
  }

  /** Opens and closes a connection to the target without sending a request. Rejects with ProxyError if that fails. */
  async checkReachable(): Promise<void> {
    if (this.#options.fetch) return;
    const { reach } = await import('./http-upstream.js');
    await reach(this.#target.origin, this.#options.insecure === true).catch((error) => {
      throw new ProxyError('unreachable', toUpstreamError(this.#target, error).message);
    });
  }

  /** Opens a port, by default any free one. Rejects with the system's error if it is not available, and with ProxyError for a loop. */
  async listen(where: ListenOptions = {}): Promise<MockServer> {
    checkListen(where, 'proxy.listen');
    await this.ready;
    return this.#listeners.listen(where);
  }

  /** Closes every port and every connection to the target. Held requests are released. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#forwarder.isEnding = true;
    this.#connection.stop();
    await this.#listeners.close();
    await this.#upstream.close();
    // With fetch, pending requests end by themselves.
    if (!this.#options.fetch) await this.#connection.waitUntilIdle();
  }

  /** Exchanges so far as the clients saw them, oldest first, keys redacted. */
  journal(query: JournalQuery = {}): Exchange[] {
    checkQuery(query);
    return readJournal(this.#connection.organisations.selectOpen(query.key), query).map((each) =>
      redactExchange(each),
    );
  }

  /** Findings about clients and service so far. */
  findings(key?: string): Finding[] {
    const found = this.#both.findings();
    if (key === undefined) return found;
    const name = this.#connection.organisations.get(key)?.name;
    const seqs = new Set(name === undefined ? [] : this.journal({ key }).map(({ seq }) => seq));
    return found.filter(({ evidence }) => evidence.some((seq) => seqs.has(seq)));
  }

  /** Which key each organisation has: its name, and the beginning of a hash. Never the key. */
  keys(key?: string): KeyView[] {
    return this.#connection.organisations.selectOpen(key).map(viewKey);
  }

  /** Names a key for lists, such as that of studio. */
  nameKey(name: string, key: string): void {
    nameKey(this.#connection.organisations, name, key);
  }

  /** The report about each side so far, as `--report json` writes it. */
  report(): ConformReport {
    return this.#both.createReport({
      baseUrl: this.target,
      started: this.#started,
      duration_ms: Math.round(performance.now() - this.#startMs),
      endedAt: Date.now(),
      lacks: this.#options.lacks,
      seed: typeof this.#options.seed === 'number' ? this.#options.seed : 1,
    });
  }

  /** Number of judged exchanges. */
  get judged(): number {
    return this.#both.exchangeCount;
  }

  /** Open gates, and gates that requests wait for. */
  gates(key?: string): GateView[] {
    return this.#connection.organisations.selectOpen(key).map(viewGates);
  }

  /** Opens a gate that requests wait for: of one task, of the clients with one key, or of all. */
  openGate(name: string, target?: GateTarget): GateView[] {
    return openGate(this.#connection.organisations, name, target);
  }

  health(): ProxyHealth {
    const { activeTasks: _, ...counts } = countContents(this.#connection.organisations.values());
    return { status: 'ok', target: this.target, ...counts };
  }

  /** Deletes exchanges and counters of the clients with one key; without a key everything, including findings. */
  reset(key?: string): void {
    if (key !== undefined) {
      this.#connection.organisations.reset(key);
      return;
    }
    this.#connection.reset();
    this.#judge = this.#createJudge?.();
    this.#started = new Date();
    this.#startMs = performance.now();
  }

  async #openPort(where: Required<ListenOptions>): Promise<ListeningServer> {
    const [{ openPort }, { serveProxy }] = await Promise.all([
      import('../../mock/serve/http.js'),
      import('./serve.js'),
    ]);
    const serve = serveProxy(this.#handle, () => this.#connection.sent, this.#onFault);
    const listening = await openPort(where, serve, REQUEST_TIMEOUT_MS);
    if (!isOwnAddress(this.#target, listening)) return listening;
    await listening.close();
    throw new ProxyError(
      'loop',
      `${this.target} is the address of the proxy itself. Correct TARGET, or --port.`,
    );
  }

  #serveStudio(request: WireRequest): MaybePromise<WireResponse> | undefined {
    if (!request.url.startsWith(STUDIO_PREFIX)) return undefined;
    const baseUrl = `http://${request.headers.host ?? ''}`;
    const needsToken = this.#options.adminToken !== undefined;
    return serveFile(request, { kind: 'live', target: 'proxy', baseUrl, needsToken });
  }

  /** Undefined if the proxy reads no files for studio. */
  get readPage(): PageReader | undefined {
    return this.#options.readPage;
  }

  /** The source of the admin API's event stream. */
  get streamSource(): StreamSource {
    return {
      listOrganisations: () => this.#connection.organisations.values(),
      findTask: summarizeTask,
      listFindings: () => this.findings(),
      hasCommonJudge: true,
    };
  }

  #recordExchange(exchange: Exchange): void {
    // First: a failing rule must not lose the exchange.
    callSafely(this.#options.onExchange, [exchange], this.#onFault);
    this.#both.observe(exchange);
  }

  async #load(): Promise<void> {
    const { network, onFinding } = this.#options;
    if (network !== undefined) await loadNetwork(network, this.#connection);
    // Loaded on demand: the rules are large, and most importers of the package create no proxy.
    const { BothSidesJudge: LoadedJudge } = await import('../both-sides/both-sides.js');
    this.#createJudge = () => new LoadedJudge((finding) => callSafely(onFinding, [finding], this.#onFault));
    this.#judge = this.#createJudge();
  }

  get #both(): BothSidesJudge {
    if (this.#judge) return this.#judge;
    throw new Error('The proxy is still being loaded: await proxy.ready first.');
  }
}

function readTarget(target: string): ProxyTarget {
  try {
    return parseTarget(target);
  } catch (error) {
    throw new TypeError(`createProxy: target: ${(error as Error).message}`);
  }
}

/** Whether requests to the target would return to this port. */
function isOwnAddress({ origin }: ProxyTarget, { host, port }: ListeningServer): boolean {
  const { protocol, hostname, port: given } = new URL(origin);
  if (protocol !== 'http:' || Number(given || 80) !== port) return false;
  const isOwn = isLoopbackHost(host) || host === '::' || host === '0.0.0.0';
  return hostname.replace(/^\[|\]$/g, '') === host || (isOwn && isLoopbackHost(hostname));
}

/**
 * Creates a proxy between clients and a service: on a port with `listen`, in process with `fetch`. `findings()` returns the rules that
 * either side broke.
 */
export function createProxy(options: ProxyOptions): ServiceProxy {
  return new ServiceProxy(options);
}
