import type { Exchange } from '../../../spec/vocabulary.js';
import type { WireResponse } from '../../pipeline/wire.js';
import { fromBase64 } from '../base64.js';
import type { ClientIds } from './client-ids.js';
import type { Take } from './voice.js';

/** A recorded answer, ready to leave. */
export interface Played {
  answer: WireResponse;
  /** How a journal keeps the body. */
  body: Pick<NonNullable<Exchange['response']>, 'body'>;
  /** The client's own ids stand in it in place of the recorded ones. */
  renamed: boolean;
  /** Addresses in it lead here. */
  moved: boolean;
}

const LOST: WireResponse = { status: 500, headers: {}, body: '', fault: { kind: 'drop' } };
/** Paths of the pages that answers lead to. */
const PAGE = '(?=/(?:live|recordings|downloads|billing|invite)/)';
/** What journals of before wrote in place of what they did not keep. */
const CUT = /… \(\d+ more characters left out\)$/;
const DESCRIBED = /^\(\d+ bytes\)$/;

/** The answer of a take; or why it cannot be had. */
export function play(
  { exchange: { response } }: Take,
  ids: ClientIds,
  origin: string | undefined,
): Played | { refused: string } {
  if (!response) return { answer: { ...LOST }, body: { body: '' }, renamed: false, moved: false };
  const { status, headers, body, body_base64, left_out, cut_at } = response;
  if (left_out !== undefined)
    return {
      refused: `its answer was too large to be recorded (${left_out} bytes), and cannot be replayed.`,
    };
  if (body_base64 === undefined && ((body.length > 64 * 1024 && CUT.test(body)) || DESCRIBED.test(body))) {
    return { refused: 'its answer was not recorded whole: record it again with this version.' };
  }
  const moved = movedTo(response, origin);
  const renamed = ids.isEmpty ? moved : ids.toClient(moved);
  const answer: WireResponse = {
    status,
    headers,
    body: body_base64 === undefined ? renamed : fromBase64(body_base64),
  };
  if (cut_at !== undefined) answer.fault = { kind: 'truncate', bytes: cut_at };
  return { answer, body: { body: renamed }, renamed: renamed !== moved, moved: moved !== body };
}

/** The body with its addresses of the recorded mock at `origin`: what is behind them is replayed there. */
function movedTo(
  { body, origin: then }: NonNullable<Exchange['response']>,
  origin: string | undefined,
): string {
  if (then === undefined || origin === undefined || origin === then) return body;
  const literal = then.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return body.replace(new RegExp(literal + PAGE, 'g'), () => origin);
}
