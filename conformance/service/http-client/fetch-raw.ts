import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { Readable } from 'node:stream';

const WITHOUT_BODY = [204, 205, 304];

/**
 * A `fetch` that does not decode bodies, for services that send a wrong `content-encoding`, which the global `fetch` rejects.
 * Does not follow redirects.
 */
export async function fetchRaw(input: string, init: RequestInit = {}): Promise<Response> {
  // `Request` serializes forms and adds their boundary.
  const given = new Request(input, { ...init, ...(init.body ? { duplex: 'half' } : {}) } as RequestInit);
  const body = given.body ? Buffer.from(await given.arrayBuffer()) : null;
  const headers = Object.fromEntries(given.headers);
  if (body) headers['content-length'] = String(body.length);
  const { protocol } = new URL(input);
  return new Promise((resolve, reject) => {
    const sent = (protocol === 'https:' ? requestTls : requestPlain)(input, {
      method: given.method,
      headers,
      ...(init.signal && { signal: init.signal }),
    });
    sent.on('error', reject);
    sent.on('response', (message) => {
      const { statusCode: status = 0, headersDistinct } = message;
      if (status < 200 || status > 599) {
        message.destroy();
        reject(new TypeError(`the status ${status} is none that ends a request`));
        return;
      }
      const received = Object.entries(headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map((value): [string, string] => [name, value]),
      );
      const hasNone = WITHOUT_BODY.includes(status) || given.method === 'HEAD';
      const stream = hasNone ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
      if (hasNone) message.resume();
      resolve(new Response(stream, { status, headers: received }));
    });
    sent.end(body);
  });
}
