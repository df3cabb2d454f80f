import { type Exchange, NETWORK_EFFECTS, type NetworkEffect } from '../../spec/vocabulary.js';

/** Journals used to keep the effects of network rules as words alone. */
const OLD_NOTES: readonly [pattern: RegExp, effect: NetworkEffect['effect']][] = [
  [/^(?:request|answer) dropped|client has gone/, 'lost'],
  [/^answer cut off/, 'cut'],
  [/^(?:answer )?(?:delayed|held|kept back|let go)\b/, 'delayed'],
  [/^handled twice|^the second time/, 'duplicated'],
  [/^answer with /, 'changed'],
];
/** They shortened bodies from this length on, and said so at the end. */
const OLD_LONGEST_BODY = 64 * 1024;
const OLD_CUT = /… \((\d+) more characters left out\)$/;
const OLD_DESCRIPTION = /^\((\d+) bytes(?:, multipart|, no UTF-8 text)?\)$/;

/** Effects as exchanges have them, from the field `network` of any journal, HAR or snapshot. Undefined for no list. */
export function readNetworkEffects(given: unknown): NetworkEffect[] | undefined {
  if (!Array.isArray(given)) return undefined;
  return given.flatMap((each) => {
    if (typeof each === 'string') return [withSide({ effect: oldEffect(each), note: each })];
    const isKnown = NETWORK_EFFECTS.includes(each?.effect) && typeof each.note === 'string';
    return isKnown ? [withSide(each)] : [];
  });
}

/** An exchange with the fields of today, in place of what older versions said in words. */
export function upgradeExchange(exchange: Exchange): Exchange {
  const { request, response, network } = exchange;
  const upgraded: Exchange = { ...exchange, request: withLeftOut(request) };
  if (response) upgraded.response = withLeftOut(response);
  if (network) upgraded.network = readNetworkEffects(network)!;
  return upgraded;
}

/** Earlier journals had it in the words. */
function withSide(effect: NetworkEffect): NetworkEffect {
  return effect.side === undefined && effect.note.startsWith('request ')
    ? { ...effect, side: 'request' }
    : effect;
}

function oldEffect(note: string): NetworkEffect['effect'] {
  return OLD_NOTES.find(([pattern]) => pattern.test(note))?.[1] ?? 'replaced';
}

function withLeftOut<T extends { body?: string; body_base64?: string; left_out?: number }>(message: T): T {
  const { body = '', body_base64, left_out } = message;
  if (left_out !== undefined || body_base64 !== undefined) return message;
  const cut = body.length > OLD_LONGEST_BODY ? OLD_CUT.exec(body) : OLD_DESCRIPTION.exec(body);
  return cut ? { ...message, left_out: Number(cut[1]) } : message;
}
