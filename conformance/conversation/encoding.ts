import { BYTE_ORDER_MARK } from './body.js';
import type { ReadExchange } from './read-exchange.js';

/** The encoding error of a JSON body, as the rest of a sentence about its message. */
export function findEncodingFault(exchange: ReadExchange, side: 'request' | 'response'): string | undefined {
  const isRequest = side === 'request';
  const { state } = isRequest ? exchange.requestBody : exchange.responseBody;
  const message = exchange.exchange[side];
  if (state !== 'json' || !message) return undefined;
  const readHeader = (name: string) =>
    isRequest ? exchange.findRequestHeader(name) : exchange.findResponseHeader(name);
  if (message.encoding_fault === 'content-encoding') {
    const coding = readHeader('content-encoding');
    return coding === undefined
      ? 'is compressed, and has no header "content-encoding" that says so. Send the header, or the body as it is.'
      : `has the header "content-encoding: ${coding}", and its body is not encoded so. Leave the header out, or encode the body.`;
  }
  if (message.encoding_fault === 'charset') {
    const named = /charset="?([^\s;"]+)/i.exec(readHeader('content-type') ?? '')?.[1];
    const by = named === undefined ? '' : ` The header "content-type" names ${named}.`;
    return `is not in UTF-8, as JSON has to be (RFC 8259, section 8.1).${by} Send it in UTF-8.`;
  }
  return message.body?.startsWith(BYTE_ORDER_MARK)
    ? 'begins with a byte order mark, which JSON may not have (RFC 8259, section 8.1). Leave it out.'
    : undefined;
}
