import type { MaybePromise, WireRequest, WireResponse } from '../exchange/wire.js';
import type { Organisations } from '../pipeline/organisations.js';
import { AdminError, readCount } from './admin-request.js';

/**
 * Sends a recorded request again and returns the seq of the new exchange. Does not wait for the response, which network rules may hold.
 * Throws AdminError if the exchange is not in the journal, or not completely.
 */
export async function sendAgain(
  organisations: Pick<Organisations, 'selectOpen'>,
  handle: (request: WireRequest) => MaybePromise<WireResponse>,
  key: string | undefined,
  given: string,
): Promise<number> {
  const seq = readCount('seq', given)!;
  const found = organisations.selectOpen(key).flatMap((organisation) => {
    const entry = organisation.journal.entry(seq);
    return entry ? [{ organisation, entry }] : [];
  });
  const [one, other] = found;
  if (!one) throw new AdminError(404, `There is no exchange ${seq} in the journal any more.`);
  if (other)
    throw new AdminError(
      422,
      `Several organisations have an exchange ${seq}: say which with ?organisation=.`,
    );
  const { method, url, headers, body = null, left_out: leftOut } = one.entry;
  if (leftOut !== undefined)
    throw new AdminError(422, `The journal kept only a part of the body of exchange ${seq}.`);
  const before = one.organisation.journal.seq;
  void handle({ method, url, headers, body, loopback: true });
  return before + 1;
}
