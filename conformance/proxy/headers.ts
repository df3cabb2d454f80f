/** Headers that a proxy does not forward (RFC 9110, section 7.6.1). `connection` names more of them. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Alternating names and values, in the order and case in which they were received. */
export type RawHeaders = readonly string[];

/** The headers to forward. `isDropped`: additional headers to drop. */
export function selectEndToEnd(
  headers: RawHeaders,
  isDropped: (name: string) => boolean = () => false,
): string[] {
  const named = listConnectionHeaders(headers);
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase();
    if (HOP_BY_HOP.has(name) || named?.includes(name) || isDropped(name)) continue;
    kept.push(headers[at]!, headers[at + 1]!);
  }
  return kept;
}

function listConnectionHeaders(headers: RawHeaders): string[] | undefined {
  let named: string[] | undefined;
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]!.length !== 10 || headers[at]!.toLowerCase() !== 'connection') continue;
    named ??= [];
    named.push(...headers[at + 1]!.split(',').map((each) => each.trim().toLowerCase()));
  }
  return named;
}

/** As an object with lower-case names. Values of the same name are joined. */
export function toRecord(headers: RawHeaders): Record<string, string> {
  const record: Record<string, string> = Object.create(null);
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase();
    const value = headers[at + 1]!;
    record[name] = name in record ? `${record[name]}${name === 'set-cookie' ? '\n' : ', '}${value}` : value;
  }
  return { ...record };
}

export function toRaw(headers: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
}

/** The first value of a header. */
export function findHeader(headers: RawHeaders, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]!.length === name.length && headers[at]!.toLowerCase() === name) return headers[at + 1];
  return undefined;
}
