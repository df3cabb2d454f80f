import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FILE_HEADERS } from '../../mock/pages/serve-studio.js';

const HOST = '127.0.0.1';
/** The page has all else of its policy in itself: this cannot stand there. */
const POLICY = { 'content-security-policy': "frame-ancestors 'none'" };

/** Serves one page on a free port of this machine. */
export async function servePage(html: string): Promise<{ address: string; close: () => Promise<void> }> {
  const page = Buffer.from(html);
  const server = createServer(({ method, url, headers }, response) => {
    const { port } = server.address() as AddressInfo;
    // Names of other sites that lead here must not read what was recorded.
    const isOwnHost = headers.host === `${HOST}:${port}` || headers.host === `localhost:${port}`;
    const status = !isOwnHost ? 403 : url !== '/' ? 404 : method === 'GET' || method === 'HEAD' ? 200 : 405;
    const type = `text/${status === 200 ? 'html' : 'plain'}; charset=utf-8`;
    response.writeHead(status, {
      ...FILE_HEADERS,
      ...POLICY,
      'content-type': type,
      'cache-control': 'no-store',
    });
    response.end(status === 200 ? page : `The page is at http://${HOST}:${port}/\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { address: `http://${HOST}:${port}/`, close };
}
