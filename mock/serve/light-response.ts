import type { WireResponse } from '../pipeline/wire.js';
import { brokenOff, truncated } from './body-streams.js';

/** What a light response knows. Under a symbol, as the platform's own keeps it: seen by no list of names. */
const STATE = Symbol('state');

interface State {
  answer: WireResponse & { body: string };
  used: boolean;
  /** Made once somebody asks for them. */
  headers: Headers | undefined;
  platform: Response | undefined;
}

/** What cannot be had from a text as it is: halves of characters, and a byte order mark. */
const NEEDS_CODING = /[\ud800-\udfff\ufeff]/;

/** True for an answer whose text and JSON are what its body is, character by character, or cannot be had as it breaks off. */
export function isLight(answer: WireResponse): answer is WireResponse & { body: string } {
  const { body, status, fault, headers, slow } = answer;
  return (
    typeof body === 'string' &&
    slow === undefined &&
    fault?.kind !== 'drop' &&
    status !== 204 &&
    status !== 304 &&
    headers['content-type'] !== undefined &&
    !NEEDS_CODING.test(body)
  );
}

/**
 * A Response in all that a client can see (`instanceof` too), several times as cheap as the platform's where its text or
 * its JSON is all that is read. The platform builds its own as soon as something else is asked for. What hands it to
 * the platform itself (a service worker, a cache) has to be given the platform's: this is none.
 */
class LightResponse {
  [STATE]: State;

  constructor(answer: WireResponse & { body: string }) {
    this[STATE] = { answer, used: false, headers: undefined, platform: undefined };
  }

  get status(): number {
    return this[STATE].answer.status;
  }

  get ok(): boolean {
    const { status } = this[STATE].answer;
    return status >= 200 && status <= 299;
  }

  get statusText(): string {
    return '';
  }

  get url(): string {
    return '';
  }

  get type(): ResponseType {
    return 'default';
  }

  get redirected(): boolean {
    return false;
  }

  get headers(): Headers {
    const state = this[STATE];
    state.headers ??= state.platform?.headers ?? new Headers(state.answer.headers);
    return state.headers;
  }

  get bodyUsed(): boolean {
    const { platform, used } = this[STATE];
    return used || platform?.bodyUsed === true;
  }

  get body(): ReadableStream<Uint8Array> | null {
    return platformOf(this[STATE]).body;
  }

  async text(): Promise<string> {
    const state = this[STATE];
    if (state.platform || state.used) return platformOf(state).text();
    return readBody(state);
  }

  async json(): Promise<unknown> {
    const state = this[STATE];
    if (state.platform || state.used) return platformOf(state).json();
    return JSON.parse(readBody(state));
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return platformOf(this[STATE]).arrayBuffer();
  }

  async blob(): Promise<Blob> {
    return platformOf(this[STATE]).blob();
  }

  async bytes(): Promise<Uint8Array> {
    return platformOf(this[STATE]).bytes();
  }

  async formData(): Promise<FormData> {
    return platformOf(this[STATE]).formData();
  }

  clone(): Response {
    return platformOf(this[STATE]).clone();
  }
}

function readBody(state: State): string {
  state.used = true;
  if (state.answer.fault) throw brokenOff();
  return state.answer.body;
}

/** The platform's own response in the same state: one that was read has been read there as well. */
function platformOf(state: State): Response {
  if (state.platform) return state.platform;
  const { status, body, fault } = state.answer;
  const headers = state.headers ?? state.answer.headers;
  state.platform =
    fault?.kind === 'truncate'
      ? truncated(state.answer, fault.bytes, headers)
      : new Response(body, { status, headers });
  // Whoever has the headers already goes on with those.
  state.headers ??= state.platform.headers;
  // Reading one that breaks off fails.
  if (state.used) state.platform.text().catch(() => {});
  return state.platform;
}

let isShaped = false;

/** Makes the class one of the platform's. Not before it is needed: to touch `Response` takes Node.js as long as a mock takes to start. */
function shape(): void {
  isShaped = true;
  for (const name of Object.getOwnPropertyNames(LightResponse.prototype))
    Object.defineProperty(LightResponse.prototype, name, { enumerable: name !== 'constructor' });
  Object.defineProperty(LightResponse.prototype, 'constructor', { value: Response });
  Object.setPrototypeOf(LightResponse.prototype, Response.prototype);
  // Not every platform has it yet.
  if (!('bytes' in Response.prototype)) delete (LightResponse.prototype as { bytes?: unknown }).bytes;
}

export function lightResponse(answer: WireResponse & { body: string }): Response {
  if (!isShaped) shape();
  return new LightResponse(answer) as unknown as Response;
}
