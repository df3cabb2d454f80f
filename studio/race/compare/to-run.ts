import type { RaceLine, RaceRun } from '../../../conformance/explore/reproduce/race.js';
import { type Exchange, type Finding, isActive } from '../../../spec/vocabulary.js';
import { formatInline } from '../../parts/format.js';
import { readExchange } from '../../sequence/exchange-row.js';

/** A conversation as a run that can be aligned with another one. Its requests are named by what they do: ids differ. */
export function toRun(exchanges: readonly Exchange[], findings: readonly Finding[]): RaceRun {
  const names = nameRequests(exchanges);
  const moments = exchanges.flatMap(({ seq, request, response }) => [
    { seq, at: request.at, what: 'request' as const },
    ...(response ? [{ seq, at: response.at, what: 'response' as const }] : []),
  ]);
  // A response follows its request, also within one millisecond.
  moments.sort((one, other) => one.at - other.at || one.seq - other.seq);
  const lines: RaceLine[] = [];
  for (const { seq, at, what } of moments) {
    const name = names.get(seq)!;
    if (what === 'request') lines.push({ what, seq, name });
    else {
      const before = lines.at(-1);
      // A response right after its request is drawn with it.
      const isAtOnce = before?.what === 'request' && before.seq === seq;
      if (!isAtOnce) lines.push({ what, seq, name, at });
    }
  }
  return { lines, exchanges: [...exchanges], findings: [...findings], end: describeEnd(exchanges) };
}

/** `poll 2`, `reply get_weather 1`, by `seq`. */
function nameRequests(exchanges: readonly Exchange[]): Map<number, string> {
  const tools = new Map<string, string>();
  const counts = new Map<string, number>();
  const names = new Map<number, string>();
  for (const exchange of exchanges) {
    const read = readExchange(exchange);
    for (const { shape, id, payload } of read.events)
      if (shape === 'call' && id !== undefined) tools.set(id, String(payload?.name));
    const { reply, action } = read;
    const about = reply ? tools.get(String(reply.id)) : action ? readName(action.payload) : undefined;
    const kind = [exchange.kind, about].filter(Boolean).join(' ');
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(exchange.seq, `${kind} ${count}`);
  }
  return names;
}

function readName(payload: unknown): string | undefined {
  const name = (payload as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
}

function describeEnd(exchanges: readonly Exchange[]): RaceRun['end'] {
  const last = exchanges.at(-1);
  const at = last ? (last.response?.at ?? last.request.at) : 0;
  const read = exchanges.findLast((each) => readExchange(each).status !== undefined);
  const { status, record } = read ? readExchange(read) : {};
  if (status === undefined) return { at, text: 'The client has seen no status.', isHang: false };
  const output = isActive(status) ? '' : `: ${formatInline(record?.output, 100)}`;
  return { at, text: `The client has seen "${status}"${output}.`, isHang: false };
}
