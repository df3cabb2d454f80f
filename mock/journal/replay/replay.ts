import { headerSecretRedactor, redactHeaders } from '../../../spec/redact.js';
import { shorten } from '../../../spec/show.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { keyOf } from '../../pipeline/authenticate.js';
import { preflight } from '../../pipeline/responses.js';
import { json, type WireRequest, type WireResponse } from '../../pipeline/wire.js';
import { fromBase64 } from '../base64.js';
import { requestBody } from '../recorder.js';
import type { ClientIds } from './client-ids.js';
import {
  type ComparableRequest,
  comparableOf,
  isTree,
  jsonOf,
  maskBody,
  utf8,
} from './comparable-request.js';
import { type RecordedExchange, Recording, type ReplayMatch } from './recording.js';

/** Response header: how the response differs from the recorded one, or `refused`. */
export const REPLAY_HEADER = 'x-taskdouble-replay';

/** Bounds of the journal of a replay; the oldest exchanges are dropped first. */
const LIMITS = { exchanges: 10_000, characters: 64 * 1024 * 1024 };

export interface ReplaySettings {
  /** Base address of the replay; undefined keeps the recorded addresses. */
  origin: () => string | undefined;
  /** Called with every exchange in full. */
  onRecord: (exchange: Exchange) => void;
  /** Called with a line for every refused request. */
  onNote: (line: string) => void;
}

/** Progress of a replay. */
export interface ReplayHealth {
  status: 'ok';
  replay: { exchanges: number; played: number; refused: number };
  /** The first recorded request that has not come yet. */
  next: string | null;
}

/** Serves a recording: equal requests get the recorded responses, in order and at once. */
export class ReplayEngine {
  readonly #recording: Recording;
  #journal: Exchange[] = [];
  #characters = 0;
  #seq = new Map<string, number>();
  #refused = 0;

  constructor(
    exchanges: readonly Exchange[],
    private readonly settings: ReplaySettings,
  ) {
    this.#recording = new Recording(exchanges);
  }

  handle(wire: WireRequest): WireResponse {
    if (wire.method === 'OPTIONS') return preflight(wire);
    const request = comparableOf(wire);
    const match = this.#recording.match(request, keyOf(wire.headers) ?? '');
    return match.kind === 'served' ? this.#serve(wire, request, match) : this.#refuse(wire, request, match);
  }

  journal(): Exchange[] {
    return [...this.#journal];
  }

  health(): ReplayHealth {
    const { size: exchanges, served: played, next } = this.#recording;
    return {
      status: 'ok',
      replay: { exchanges, played, refused: this.#refused },
      next: next ? nameOf(next) : null,
    };
  }

  /** Starts over. */
  reset(): void {
    this.#recording.reset();
    this.#journal = [];
    this.#characters = 0;
    this.#seq = new Map();
    this.#refused = 0;
  }

  #serve(
    wire: WireRequest,
    request: ComparableRequest,
    { recorded: { exchange, number }, ids }: Exclude<ReplayMatch, { kind: 'unknown' }>,
  ): WireResponse {
    const replayed = replayResponse(exchange, ids, this.settings.origin());
    if (typeof replayed === 'string') return this.#respond(wire, 409, `${lineOf(request)}: ${replayed}`);
    const { response, body, changes } = replayed;
    const note = changes.length > 0 ? `exchange ${number} with ${changes.join(' and ')}` : undefined;
    if (note !== undefined) response.headers = { ...response.headers, [REPLAY_HEADER]: note };
    const { seq: _, request: recorded, response: sent, notes = [], ...rest } = exchange;
    const allNotes = note === undefined ? notes : [...notes, `replay: ${note}`];
    this.#record({
      seq: this.#nextSeq(exchange.organisation),
      ...rest,
      request: { ...describeRequest(wire, recorded.body), at: recorded.at },
      ...(sent && { response: { ...sent, headers: response.headers, body } }),
      ...(allNotes.length > 0 ? { notes: allNotes } : {}),
    });
    return response;
  }

  #refuse(wire: WireRequest, request: ComparableRequest, match: ReplayMatch): WireResponse {
    const { next } = this.#recording;
    const expected = next
      ? `Expected next: ${nameOf(next)}.`
      : 'The whole recording has been played; POST /__admin/reset starts over.';
    const line = lineOf(request);
    if (match.kind === 'unknown')
      return this.#respond(wire, 404, `${line} is not in this recording. ${expected}`);
    const { recorded } = match;
    const reason =
      match.kind === 'exhausted'
        ? `${line} came more often than it was recorded (last as exchange ${recorded.number}).`
        : `${line} differs from exchange ${recorded.number} of the recording in its body: ${describeDifference(recorded.request.body, request.body)}.`;
    return this.#respond(wire, 409, `${reason} ${expected}`);
  }

  #respond(wire: WireRequest, status: number, detail: string): WireResponse {
    this.#refused++;
    this.settings.onNote(`${status} ${detail}`);
    const response = json(status, { detail });
    response.headers = { ...response.headers, [REPLAY_HEADER]: 'refused' };
    const at = this.#journal.at(-1)?.request.at ?? 0;
    this.#record({
      seq: this.#nextSeq('refused'),
      kind: 'refused',
      organisation: 'refused',
      request: { ...describeRequest(wire), at },
      response: { status, headers: response.headers, body: String(response.body), at },
      notes: ['replay: refused'],
    });
    return response;
  }

  #record(exchange: Exchange): void {
    this.#journal.push(exchange);
    this.#characters += charactersOf(exchange);
    while (
      this.#journal.length > LIMITS.exchanges ||
      (this.#characters > LIMITS.characters && this.#journal.length > 1)
    )
      this.#characters -= charactersOf(this.#journal.shift()!);
    this.settings.onRecord(exchange);
  }

  #nextSeq(organisation: string): number {
    const seq = (this.#seq.get(organisation) ?? 0) + 1;
    this.#seq.set(organisation, seq);
    return seq;
  }
}

function charactersOf({ request: { url, body = '', body_base64 = '' }, response }: Exchange): number {
  return url.length + body.length + body_base64.length + (response?.body.length ?? 0);
}

/** `recordedBody` describes a form. */
function describeRequest(wire: WireRequest, recordedBody?: string): Omit<Exchange['request'], 'at'> {
  const { method, headers, body } = wire;
  const { url } = comparableOf({ ...wire, body: null });
  const isForm = headers['content-type']?.startsWith('multipart/') === true;
  const text = isForm ? undefined : body instanceof Uint8Array ? utf8(body) : (body ?? undefined);
  const redact = headerSecretRedactor(headers as Record<string, string>);
  return {
    method,
    url,
    headers: redactHeaders(headers as Record<string, string>, redact),
    ...requestBody(wire, text, redact, text === undefined ? recordedBody : undefined),
  };
}

/** The first place in which two bodies differ, times aside. */
function describeDifference(recorded: string | undefined, given: string | undefined): string {
  const [then, now] = [jsonOf(maskBody(recorded)), jsonOf(maskBody(given))];
  const path = then !== undefined && now !== undefined ? firstDifference(then, now) : undefined;
  if (path === undefined) return `expected ${quote(recorded)}, found ${quote(given)}`;
  return `at ${path.at === '' ? 'its root' : path.at} expected ${quote(path.recorded)}, found ${quote(path.given)}`;
}

function firstDifference(
  recorded: unknown,
  given: unknown,
  at = '',
): { at: string; recorded: unknown; given: unknown } | undefined {
  if (isTree(recorded) && isTree(given) && Array.isArray(recorded) === Array.isArray(given)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(given)])) {
      const found = firstDifference(recorded[name], given[name], at === '' ? name : `${at}.${name}`);
      if (found) return found;
    }
    return undefined;
  }
  return Object.is(recorded, given) ? undefined : { at, recorded, given };
}

function quote(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return shorten(text, 80);
}

function lineOf({ method, url }: ComparableRequest): string {
  return `${method} ${shorten(url, 200)}`;
}

function nameOf({ request, number }: RecordedExchange): string {
  return `${lineOf(request)} (exchange ${number} of the recording)`;
}

/** A recorded response, ready to be sent. */
export interface ReplayedResponse {
  response: WireResponse;
  /** The body as a journal keeps it. */
  body: string;
  /** What differs from the recorded bytes, in words. */
  changes: string[];
}

const LOST: WireResponse = { status: 500, headers: {}, body: '', fault: { kind: 'drop' } };
/** Paths of the pages that responses link to. */
const PAGE = '(?=/(?:live|recordings|downloads|billing|invite)/)';

/** The response of a recorded exchange; or a text that says why it cannot be sent. */
export function replayResponse(
  { response: recorded }: Exchange,
  ids: ClientIds,
  origin: string | undefined,
): ReplayedResponse | string {
  if (!recorded) return { response: { ...LOST }, body: '', changes: [] };
  const { status, headers, body, body_base64, left_out, cut_at } = recorded;
  if (left_out !== undefined)
    return `its response was not recorded whole (${left_out} characters or bytes are missing), and cannot be replayed.`;
  const moved = withOrigin(recorded, origin);
  const renamed = ids.isEmpty ? moved : ids.toClient(moved);
  const response: WireResponse = {
    status,
    headers,
    body: body_base64 === undefined ? renamed : fromBase64(body_base64),
  };
  if (cut_at !== undefined) response.fault = { kind: 'truncate', bytes: cut_at };
  const changes: string[] = [];
  if (renamed !== moved) changes.push('ids of this client');
  if (moved !== body) changes.push('addresses of this replay');
  return { response, body: renamed, changes };
}

/** The body with links to pages of the recorded mock changed to `origin`: the replay serves them. */
function withOrigin({ body, origin: recorded }: NonNullable<Exchange['response']>, origin?: string): string {
  if (recorded === undefined || origin === undefined || origin === recorded) return body;
  const literal = recorded.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return body.replace(new RegExp(literal + PAGE, 'g'), () => origin);
}
