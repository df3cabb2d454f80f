import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { closeLater } from './servers.js';

/** Sends `text` and reads until the connection ends. Rejects if the connection fails. */
export function exchangeBytes(port: number, text: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk;
    });
    socket.once('close', () => resolve(received));
    socket.once('error', reject);
  });
}

/** A service that writes raw bytes and closes the connection. `closeAll` closes it. */
export async function startRawService(respond: (socket: Socket, request: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).setEncoding('latin1');
    socket.once('data', (request: string) => respond(socket, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
