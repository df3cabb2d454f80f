import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request handlers of servers that are no service. */
export const NULL_SERVICES: Readonly<Record<string, RequestListener>> = {
  'constant 200 {}': createListener(200, '{}'),
  'constant 200 {"r":{}}': createListener(200, '{"r":{}}'),
  'constant 404': createListener(404, '{"detail":"Not Found"}'),
  'constant 500': createListener(500, '{"detail":"Internal Server Error"}'),
  '200 with HTML': createListener(200, '<!doctype html><title>Hello</title>', 'text/html'),
  'one that never answers': () => {},
  'one that redirects to itself': (request, response) => {
    response.writeHead(302, { location: request.url ?? '/' }).end();
  },
};

function createListener(status: number, body: string, type = 'application/json'): RequestListener {
  return (_, response) => response.writeHead(status, { 'content-type': type }).end(body);
}

/** A server on a free port that counts its requests. */
export interface CountingServer {
  base_url: string;
  countRequests(): number;
  close(): Promise<void>;
}

export async function serve(listener: RequestListener): Promise<CountingServer> {
  let requests = 0;
  const server: Server = createServer((request, response) => {
    requests++;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base_url: `http://127.0.0.1:${port}`,
    countRequests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An address with a closed port. */
export async function findClosedAddress(): Promise<string> {
  const { base_url, close } = await serve(() => {});
  await close();
  return base_url;
}
