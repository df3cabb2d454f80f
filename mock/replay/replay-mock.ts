import { InvalidFile } from '../../scenarios/format/invalid-file.js';
import { text } from '../../spec/json-schema/build-schema.js';
import { truncateText } from '../../spec/show.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { Admin, isAdmin } from '../admin/admin.js';
import { LARGEST_ADMIN_BODY } from '../admin/admin-request.js';
import type { AdminRoutes } from '../admin/route.js';
import { fromBase64 } from '../exchange/body.js';
import { readExchange } from '../exchange/journal-file.js';
import { recordRequest } from '../exchange/recorder.js';
import { movePages } from '../exchange/route.js';
import { createJsonResponse, readKey, type WireRequest, type WireResponse } from '../exchange/wire.js';
import {
  assertOptions,
  checkListen,
  createOptionsSchema,
  functionSchema,
  ORIGIN,
} from '../options/check-options.js';
import type { ListenOptions, MockServer } from '../options/mock-options.js';
import { needNode } from '../options/needs-node.js';
import { respondToPreflight } from '../pipeline/responses.js';
import { createFetch, type Fetch } from '../serve/fetch.js';
import { allowOrigins, createListeners, type Listeners } from '../serve/listeners.js';
import { type ClientIds, describeDifference, normalizeBody } from './normalize-body.js';
import { type RecordedExchange, Recording, type ReplayMatch } from './recording.js';

export interface ReplayOptions {
  /** Where clients reach it, for links to pages of the recorded mock. Default: where it listens, else as recorded. */
  origin?: string;
  /** Token of the admin API (`health`, `reset`). Without one, only this machine may use it. */
  adminToken?: string;
  /** Called with every exchange in full, in the form of a journal file. */
  onRecord?: (exchange: Exchange) => void;
  /** Called with one line for every request that differs from the recording. */
  onNote?: (line: string) => void;
  /** Called with an internal error of the replay; the client gets a 500. Default: logs it to the console. */
  onFault?: (error: unknown) => void;
}

export interface ReplayHealth {
  status: 'ok';
  replay: { exchanges: number; played: number; refused: number };
  /** The first recorded request that has not been replayed. */
  next: string | null;
}

/** Response header: how the response differs from the recorded one, or `refused`. */
export const REPLAY_HEADER = 'x-taskdouble-replay';

const REPLAY = createOptionsSchema<ReplayOptions>({
  origin: ORIGIN,
  adminToken: text,
  onRecord: functionSchema,
  onNote: functionSchema,
  onFault: functionSchema,
});

/**
 * Replays a recording: a journal or HAR file (in Node.js), or exchanges from `onRecord`. The same requests get the same responses, byte for
 * byte and without delay. A request that was not recorded gets 404; one that is repeated too often or differs gets 409. Any API key is
 * accepted.
 */
export function replayMock(recording: string | readonly Exchange[], options: ReplayOptions = {}): ReplayMock {
  assertOptions('replayMock', options, REPLAY);
  return new ReplayMock(recording, options);
}

export class ReplayMock {
  /** Settled when the recording is loaded. Rejects with InvalidFile, which names the line, or InvalidValue. */
  readonly ready: Promise<void>;
  /** Responds in process, without a port; waits for `ready`. */
  readonly fetch: Fetch;
  readonly #options: ReplayOptions;
  readonly #listeners: Listeners;
  #exchanges: readonly Exchange[] | undefined;
  #recording = new Recording([]);
  /** When the last request was recorded, ms. */
  #now = 0;
  #refused = 0;
  #origin: string | undefined;
  #isClosed = false;

  constructor(recording: string | readonly Exchange[], options: ReplayOptions) {
    this.#options = options;
    this.#origin = options.origin;
    const admin = new Admin<ReplayMock>(this, options.adminToken, REPLAY_ROUTES);
    const handle = allowOrigins((request) =>
      isAdmin(request.url) ? admin.handle(request) : this.#handle(request),
    );
    const readBodyLimit = () => LARGEST_ADMIN_BODY;
    const onFault =
      options.onFault ?? ((error) => console.error('taskdouble: internal error of the replay:', error));
    this.#listeners = createListeners(handle, { mostBytes: readBodyLimit, onFault });
    const fetch = createFetch(handle, readBodyLimit);
    this.fetch = async (input, init) => {
      if (this.#isClosed) throw new TypeError('fetch failed: this replay has been closed');
      await this.ready;
      return fetch(input, init);
    };
    this.ready = readExchanges(recording).then((exchanges) => {
      this.#exchanges = exchanges;
      this.reset();
    });
    // A caller that does not await it must not get an unhandled rejection.
    this.ready.catch(() => {});
  }

  /** Opens a port, any free one by default. Rejects with the system's error if the port is not available. */
  async listen(where: ListenOptions = {}): Promise<MockServer> {
    checkListen(where, 'replay.listen');
    await this.ready;
    const server = await this.#listeners.listen(where);
    if (this.#options.origin === undefined) this.#origin = server.baseUrl;
    return server;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#listeners.close();
  }

  health(): ReplayHealth {
    const { size: exchanges, served: played, next } = this.#recording;
    return {
      status: 'ok',
      replay: { exchanges, played, refused: this.#refused },
      next: next ? describeExchange(next) : null,
    };
  }

  /** Restarts the replay from the beginning. */
  reset(): void {
    if (!this.#exchanges) throw new Error('The recording is still being read: await replay.ready first.');
    this.#recording = new Recording(this.#exchanges);
    this.#now = 0;
    this.#refused = 0;
  }

  #handle(wire: WireRequest): WireResponse {
    if (wire.method === 'OPTIONS') return respondToPreflight(wire);
    const request = recordRequest(wire, this.#now);
    const match = this.#recording.match(request, readKey(wire.headers) ?? '');
    return match?.kind === 'served' ? this.#serve(request, match) : this.#refuse(request, match);
  }

  #serve(request: Exchange['request'], { recorded, client }: ReplayMatch): WireResponse {
    const { exchange, number } = recorded;
    const missing = describeMissing(exchange);
    if (missing !== undefined)
      return this.#respond(
        request,
        409,
        `${formatRequestLine(request)}: its response was not recorded${missing}, and cannot be replayed.`,
      );
    const { response, body, changes } = replayResponse(exchange, client.ids, this.#origin);
    const notes = [...(exchange.notes ?? [])];
    if (changes.length > 0) {
      const note = `exchange ${number} with ${changes.join(' and ')}`;
      response.headers = { ...response.headers, [REPLAY_HEADER]: note };
      notes.push(`replay: ${note}`);
    }
    this.#record({
      ...exchange,
      request: { ...request, at: exchange.request.at },
      ...(exchange.response && { response: { ...exchange.response, headers: response.headers, body } }),
      ...(notes.length > 0 ? { notes } : {}),
    });
    return response;
  }

  #refuse(request: Exchange['request'], match: ReplayMatch | undefined): WireResponse {
    const { next } = this.#recording;
    const expected = next
      ? `Expected next: ${describeExchange(next)}.`
      : 'The whole recording has been played; POST /__admin/reset starts over.';
    const line = formatRequestLine(request);
    if (!match) return this.#respond(request, 404, `${line} is not in this recording. ${expected}`);
    const { kind, recorded } = match;
    const reason =
      kind === 'exhausted'
        ? `${line} was sent more often than it was recorded (last as exchange ${recorded.number}).`
        : `${line} differs from exchange ${recorded.number} of the recording in its body: ${describeDifference(recorded.body, normalizeBody(request))}.`;
    return this.#respond(request, 409, `${reason} ${expected}`);
  }

  #respond(request: Exchange['request'], status: number, detail: string): WireResponse {
    this.#options.onNote?.(`${status} ${detail}`);
    const response = createJsonResponse(status, { detail });
    response.headers = { ...response.headers, [REPLAY_HEADER]: 'refused' };
    this.#record({
      seq: ++this.#refused,
      kind: 'refused',
      organisation: 'refused',
      request,
      response: { status, headers: response.headers, body: String(response.body), at: request.at },
      notes: ['replay: refused'],
    });
    return response;
  }

  #record(exchange: Exchange): void {
    this.#now = exchange.request.at;
    this.#options.onRecord?.(exchange);
  }
}

async function readExchanges(recording: string | readonly Exchange[]): Promise<readonly Exchange[]> {
  if (typeof recording !== 'string')
    return recording.map((each, index) => readExchange(each, `exchanges[${index}]`));
  const what = `replayMock: ${JSON.stringify(recording)} is the path of a file`;
  needNode(what, 'in a browser pass the exchanges.');
  const { readRecording } = await import('../exchange/readers/read-recording.js');
  const { exchanges } = await readRecording(recording);
  if (exchanges.length > 0) return exchanges;
  const message = 'has no requests to this API, so that there is nothing to replay';
  throw new InvalidFile([{ file: recording, line: 1, column: 1, path: '', message }]);
}

function formatRequestLine({ method, url }: Exchange['request']): string {
  return `${method} ${truncateText(url, 200)}`;
}

function describeExchange({ exchange, number }: RecordedExchange): string {
  return `${formatRequestLine(exchange.request)} (exchange ${number} of the recording)`;
}

/** How the response was not recorded completely; undefined if it was. */
function describeMissing({ response, unrecorded }: Exchange): string | undefined {
  if (!response) return unrecorded?.includes('response') ? '' : undefined;
  const { left_out } = response;
  if (left_out === undefined) return undefined;
  const amount =
    left_out === 0 ? 'how much is missing is not known' : `${left_out} characters or bytes are missing`;
  return ` whole (${amount})`;
}

/** The response of a recorded exchange, its body in the form of a journal, and the changes to the recorded bytes. */
function replayResponse(
  { response: recorded }: Exchange,
  ids: ClientIds,
  origin: string | undefined,
): { response: WireResponse; body: string; changes: string[] } {
  if (!recorded) {
    const lost: WireResponse = { status: 500, headers: {}, body: '', fault: { kind: 'drop' } };
    return { response: lost, body: '', changes: [] };
  }
  const { status, body, body_base64, cut_at } = recorded;
  const headers = removeFraming(recorded.headers);
  const moved = movePages(body, recorded.origin, origin);
  const renamed = ids.toClient(moved);
  const bytes = body_base64 === undefined ? renamed : fromBase64(body_base64);
  const response: WireResponse = { status, headers, body: bytes };
  if (cut_at !== undefined) response.fault = { kind: 'truncate', bytes: cut_at };
  const changes: string[] = [];
  if (renamed !== moved) changes.push('ids of this client');
  if (moved !== body) changes.push('addresses of this replay');
  return { response, body: renamed, changes };
}

/** Headers about the bytes in transit, which a HAR or a proxy has recorded and another transport creates itself. */
const FRAMING = ['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding'];

function removeFraming(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !FRAMING.includes(name.toLowerCase())),
  );
}

/** The admin API of a replay, which has no state to view or change. */
const REPLAY_ROUTES: AdminRoutes<ReplayMock> = {
  'GET /health': {
    about: 'Health: how many exchanges were recorded, how many have been replayed, which is expected next.',
    run: ({ target }) => target.health(),
  },
  'POST /reset': {
    about: 'Starts the replay over.',
    run: ({ target }) => {
      target.reset();
      return { reset: 'all' };
    },
  },
};
