import { connect } from 'node:net';

/** The parts of a request, sent without checks or corrections. */
export interface RawRequest {
  method?: string;
  /** Sent without encoding. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

export interface SocketResponse {
  status: number;
  type: string | undefined;
  /** Parsed; undefined if it is not JSON. */
  body: unknown;
}

/** Sends one request over its own connection and reads the whole response. */
export function sendRaw(
  port: number,
  { method = 'GET', path, headers = {}, body = '' }: RawRequest,
): Promise<SocketResponse> {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ host: 'mock.test', connection: 'close', ...headers });
  if (!('content-length' in headers) && !('transfer-encoding' in headers) && bytes.length > 0) {
    lines.push(['content-length', String(bytes.length)]);
  }
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return sendBytes(
    port,
    Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n`, 'latin1'), bytes]),
  );
}

export function sendBytes(port: number, bytes: Uint8Array | string): Promise<SocketResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString())));
    socket.write(bytes);
  });
}

/** Sends the bytes and closes the connection without reading. */
export function hangUp(port: number, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.write(bytes, () => socket.destroy());
  });
}

function parse(text: string): SocketResponse {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  const type = /^content-type: (.*)$/im.exec(head)?.[1];
  let body: unknown;
  try {
    body = JSON.parse(text.slice(end + 4));
  } catch {
    body = undefined;
  }
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), type, body };
}
