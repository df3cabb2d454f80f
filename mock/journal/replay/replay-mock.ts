import type { Exchange } from '../../../spec/vocabulary.js';
import { Admin, isAdmin } from '../../admin/admin.js';
import { LARGEST_ADMIN_BODY } from '../../admin/admin-request.js';
import type { AdminRoute } from '../../admin/admin-routes.js';
import { checkListen, checkReplay } from '../../options/check-options.js';
import type { ListenOptions, MockServer } from '../../options/mock-options.js';
import { needNode } from '../../options/needs-node.js';
import type { WireRequest, WireResponse } from '../../pipeline/wire.js';
import { createFetch, type Fetch } from '../../serve/fetch.js';
import { Listeners } from '../../serve/listeners.js';
import { ReplayEngine, type ReplayHealth } from './replay.js';
import { readExchange } from './tape.js';

export interface ReplayOptions {
  /** Where clients reach it: links to pages of the recorded mock lead there. Default: where it listens, else as recorded. */
  origin?: string;
  /** Token of the admin API (`health`, `journal`, `reset`). Without one, only this machine may use it. */
  adminToken?: string;
  /** Called with every exchange in full, in the form of a journal file. */
  onRecord?: (exchange: Exchange) => void;
  /** Called with one line for every request that differs from the recording. */
  onNote?: (line: string) => void;
  /** Called with a fault of the replay itself; the client gets a 500. Default: a line on the console. */
  onFault?: (error: unknown) => void;
}

/** Replays a recorded conversation. */
export interface ReplayMock {
  /** Settled once the recording is read. Rejects with InvalidFile, which names the line, or InvalidValue. */
  readonly ready: Promise<void>;
  /** Responds in process, without a port; waits for `ready`. */
  readonly fetch: Fetch;
  /** Opens a port, any free one unless given. Rejects with the system's error when it cannot be had. */
  listen(where?: ListenOptions): Promise<MockServer>;
  close(): Promise<void>;
  /** What has been replayed so far, in full. */
  journal(): Exchange[];
  health(): ReplayHealth;
  /** Starts over: nothing has been played. */
  reset(): void;
}

/**
 * Replays a recording: a journal file (in Node.js), or exchanges from `onRecord`. The same requests get the same responses, byte for byte
 * and at once. A request that was not recorded gets 404, one that comes too often or differs 409. Any API key is accepted.
 */
export function replayMock(recording: string | readonly Exchange[], options: ReplayOptions = {}): ReplayMock {
  checkReplay(options);
  return new Replayed(recording, options);
}

class Replayed implements ReplayMock {
  readonly ready: Promise<void>;
  readonly fetch: Fetch;
  readonly #listeners: Listeners;
  #origin: string | undefined;
  #replay: ReplayEngine | undefined;
  #admin: Admin<ReplayEngine> | undefined;
  #closed = false;

  constructor(
    recording: string | readonly Exchange[],
    private readonly options: ReplayOptions,
  ) {
    this.#origin = options.origin;
    const handle = (request: WireRequest) => this.#handle(request);
    const mostBytes = () => LARGEST_ADMIN_BODY;
    const onFault =
      options.onFault ?? ((error) => console.error('taskdouble: a fault of the replay itself:', error));
    this.#listeners = new Listeners(handle, { mostBytes, onFault });
    const fetch = createFetch(handle, mostBytes);
    this.fetch = async (input, init) => {
      if (this.#closed) throw new TypeError('fetch failed: this replay has been closed');
      await this.ready;
      return fetch(input, init);
    };
    this.ready = this.#load(recording);
    // A caller that does not await it must not see an unhandled rejection.
    this.ready.catch(() => {});
  }

  async listen(where: ListenOptions = {}): Promise<MockServer> {
    checkListen(where, 'replay.listen');
    await this.ready;
    const server = await this.#listeners.listen(where);
    if (this.options.origin === undefined) this.#origin = server.baseUrl;
    return server;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#listeners.close();
  }

  journal(): Exchange[] {
    return this.#whole.journal();
  }

  health(): ReplayHealth {
    return this.#whole.health();
  }

  reset(): void {
    this.#whole.reset();
  }

  get #whole(): ReplayEngine {
    if (!this.#replay) throw new Error('The recording is still being read: await replay.ready first.');
    return this.#replay;
  }

  #handle(request: WireRequest): WireResponse | Promise<WireResponse> {
    return isAdmin(request.url) ? this.#admin!.handle(request) : this.#whole.handle(request);
  }

  async #load(recording: string | readonly Exchange[]): Promise<void> {
    const exchanges =
      typeof recording === 'string'
        ? await read(recording)
        : recording.map((each, index) => readExchange(each, `exchanges[${index}]`));
    const { onRecord = () => {}, onNote = () => {}, adminToken: admin_token } = this.options;
    this.#replay = new ReplayEngine(exchanges, { origin: () => this.#origin, onRecord, onNote });
    this.#admin = new Admin(this.#replay, admin_token, REPLAY_ROUTES);
  }
}

async function read(file: string): Promise<Exchange[]> {
  needNode(`replayMock: ${JSON.stringify(file)} is the path of a file`, 'in a browser give the exchanges.');
  const { readTapeFile } = await import('./read-file.js');
  return readTapeFile(file);
}

/** The admin API of a replay, which has no state to view or change. */
export const REPLAY_ROUTES: readonly AdminRoute<ReplayEngine>[] = [
  {
    method: 'GET',
    path: '/health',
    about: 'Health: how many exchanges were recorded, how many have been replayed, which is expected next.',
    run: ({ target }) => target.health(),
  },
  {
    method: 'GET',
    path: '/journal',
    about: 'Exchanges replayed so far, oldest first, in full.',
    run: ({ target }) => ({ exchanges: target.journal() }),
  },
  {
    method: 'POST',
    path: '/reset',
    about: 'Starts the replay over.',
    run: ({ target }) => {
      target.reset();
      return { reset: 'all' };
    },
  },
];
