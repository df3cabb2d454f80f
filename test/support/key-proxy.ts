import { createHash } from 'node:crypto';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Points of a server on the ring. */
const POINTS = 160;

/** A small proxy that hands each request to the server that its API key belongs to, as docs/shared-mock/nginx.conf does. */
export class KeyProxy {
  readonly #ring: { at: string; port: number }[];

  constructor(private readonly ports: readonly number[]) {
    this.#ring = ports
      .flatMap((port) =>
        Array.from({ length: POINTS }, (_, point) => ({ at: hash(`${port} ${point}`), port })),
      )
      .sort((one, other) => (one.at < other.at ? -1 : 1));
  }

  /** The first server on the ring behind the key: without one of the servers, only the keys of that one move. */
  findPort(key: string): number {
    const at = hash(key);
    return (this.#ring.find((point) => point.at >= at) ?? this.#ring[0]!).port;
  }

  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const key = readKey(message);
    const ports = key === '' ? this.ports : [this.findPort(key)];
    try {
      for (const port of ports) {
        const answer = await pass(message, Buffer.concat(chunks), port);
        if (answer.statusCode === 404 && port !== ports.at(-1)) answer.resume();
        else return void answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
      }
    } catch {
      response.writeHead(502).end();
    }
  }
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** The header or the cookie; for the admin API first the query. */
function readKey({ url = '', headers }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url, 'http://a');
  const cookie = /(?:^|;\s*)apikey=([^;]*)/.exec(headers.cookie ?? '')?.[1];
  const query = pathname.startsWith('/__admin/') ? searchParams.get('key') : null;
  return query || String(headers['apikey'] ?? '') || (cookie ?? '');
}

function pass(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  port: number,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
}
