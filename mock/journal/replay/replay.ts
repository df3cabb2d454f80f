import { headerSecretRedactor, redactHeaders } from '../../../spec/redact.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { keyOf } from '../../pipeline/authenticate.js';
import { preflight } from '../../pipeline/preflight.js';
import { json, type WireRequest, type WireResponse } from '../../pipeline/wire.js';
import { requestBody } from '../recorder.js';
import { type Played, play } from './play.js';
import { PlayedExchanges } from './played-exchanges.js';
import { Recording } from './recording.js';
import { type Asked, askedNow, utf8 } from './sameness.js';
import type { Difference, Found, Take, Voice } from './voice.js';

/** The header that says that an answer is not simply the recorded one. */
export const REPLAY_HEADER = 'x-taskdouble-replay';

const DIFFERS: Readonly<Record<Exclude<Difference, 'nothing' | 'again'>, string>> = {
  times: 'its times differ',
  ids: 'its own ids differ',
  body: 'its body differs',
  query: 'its query differs',
};

export interface ReplaySettings {
  /** Where it is reached; undefined leaves the recorded addresses as they are. */
  origin: () => string | undefined;
  /** Told of every exchange in full. */
  onRecord: (exchange: Exchange) => void;
  /** Told of what differs from the recording, a line each. */
  onNote: (line: string) => void;
}

/** How far a replay has got. */
export interface ReplayHealth {
  status: 'ok';
  replay: { exchanges: number; played: number; again: number; differing: number; refused: number };
  /** The first recorded request that has not come yet. */
  next: string | null;
}

/** Plays a recording: the same requests get the same answers, at once. */
export class Replay {
  readonly #recording: Recording;
  #exchanges = new PlayedExchanges();
  #seq = new Map<string, number>();
  #counts = { again: 0, differing: 0, refused: 0 };

  constructor(
    exchanges: readonly Exchange[],
    private readonly settings: ReplaySettings,
  ) {
    this.#recording = new Recording(exchanges);
  }

  handle(wire: WireRequest): WireResponse {
    if (wire.method === 'OPTIONS') return preflight(wire);
    const asked = askedNow(wire);
    const { found, voice } = this.#recording.find(asked, keyOf(wire.headers) ?? '');
    return found && 'take' in found
      ? this.#serve(wire, asked, found, voice!)
      : this.#refuse(wire, asked, found);
  }

  journal(): Exchange[] {
    return this.#exchanges.all();
  }

  health(): ReplayHealth {
    const { size: exchanges, played, next } = this.#recording;
    return { status: 'ok', replay: { exchanges, played, ...this.#counts }, next: next ? named(next) : null };
  }

  /** Starts over. */
  reset(): void {
    this.#recording.reset();
    this.#exchanges = new PlayedExchanges();
    this.#seq = new Map();
    this.#counts = { again: 0, differing: 0, refused: 0 };
  }

  #serve(wire: WireRequest, asked: Asked, found: Exclude<Found, undefined | { over: Take }>, voice: Voice) {
    const { take, differs } = found;
    const { exchange } = take;
    const played = play(take, voice.ids, this.settings.origin());
    if ('refused' in played) return this.#answer(wire, 409, `${line(asked)}: ${played.refused}`);
    const said = this.#say(asked, take, differs, played);
    const { answer } = played;
    if (said.length > 0) answer.headers = { ...answer.headers, [REPLAY_HEADER]: said.join('; ') };
    const { seq: _, request: then, response, network, notes = [], ...rest } = exchange;
    const all = [...notes, ...said.map((each) => `replay: ${each}`)];
    this.#note({
      seq: this.#next(exchange.organisation),
      ...rest,
      request: { ...asRequest(wire, then.body), at: then.at },
      ...(response && { response: { ...response, headers: answer.headers, ...played.body } }),
      ...(network ? { network } : {}),
      ...(all.length > 0 ? { notes: all } : {}),
    });
    return answer;
  }

  /** What is to be said of the answer, in words; nothing where it is the recorded one to the last byte. */
  #say(asked: Asked, take: Take, differs: Difference, { renamed, moved }: Played): string[] {
    const which = `exchange ${take.number}`;
    const said: string[] = [];
    if (differs === 'again') {
      this.#counts.again++;
      said.push(`${which} again: it has been asked for more often than it was recorded`);
    } else if (differs !== 'nothing') {
      this.#counts.differing++;
      said.push(`${which}: ${DIFFERS[differs]}`);
    }
    if (renamed) said.push(`${which} with the ids of this client`);
    if (moved) said.push(`${which} with the addresses of this replay`);
    // What only differs in its time is as expected.
    if (differs === 'again' || differs === 'body' || differs === 'query')
      this.settings.onNote(`${line(asked)}: ${said[0]}`);
    return said;
  }

  #refuse(wire: WireRequest, asked: Asked, found: { over: Take } | undefined): WireResponse {
    const { next } = this.#recording;
    const expected = next
      ? `Expected next: ${named(next)}.`
      : 'The whole recording has been played; POST /__admin/reset starts over.';
    if (found) {
      const often = `${line(asked)} came more often than it was recorded (last as exchange ${found.over.number}).`;
      return this.#answer(wire, 409, `${often} ${expected}`);
    }
    const near = this.#recording.nearest(asked);
    const hint = near ? ` Nearest: ${named(near)}.` : '';
    return this.#answer(wire, 404, `${line(asked)} is not in this recording.${hint} ${expected}`);
  }

  #answer(wire: WireRequest, status: number, detail: string): WireResponse {
    this.#counts.refused++;
    this.settings.onNote(`${status} ${detail}`);
    const answer = json(status, { detail });
    answer.headers = { ...answer.headers, [REPLAY_HEADER]: 'refused' };
    const at = this.#exchanges.last?.request.at ?? 0;
    this.#note({
      seq: this.#next('refused'),
      kind: 'refused',
      organisation: 'refused',
      request: { ...asRequest(wire, undefined), at },
      response: { status, headers: answer.headers, body: String(answer.body), at },
      notes: ['replay: refused'],
    });
    return answer;
  }

  #note(exchange: Exchange): void {
    this.#exchanges.add(exchange);
    this.settings.onRecord(exchange);
  }

  #next(organisation: string): number {
    const seq = (this.#seq.get(organisation) ?? 0) + 1;
    this.#seq.set(organisation, seq);
    return seq;
  }
}

function asRequest(wire: WireRequest, described: string | undefined): Omit<Exchange['request'], 'at'> {
  const { method, headers, body } = wire;
  const { url } = askedNow({ ...wire, body: null });
  const isForm = headers['content-type']?.startsWith('multipart/') === true;
  const text = isForm ? undefined : body instanceof Uint8Array ? utf8(body) : (body ?? undefined);
  const redact = headerSecretRedactor(headers as Record<string, string>);
  return {
    method,
    url,
    headers: redactHeaders(headers as Record<string, string>, redact),
    ...requestBody(wire, text, redact, text === undefined ? described : undefined),
  };
}

function line({ method, url }: Asked): string {
  return `${method} ${url.length > 200 ? `${url.slice(0, 197)}...` : url}`;
}

function named(take: Take): string {
  return `${line(take.asked)} (exchange ${take.number} of the recording)`;
}
