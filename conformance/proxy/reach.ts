import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';

const CONNECT_MS = 10_000;

/** Opens and closes a connection without sending data. Rejects with the system's error. */
export function reach(origin: string, insecure: boolean): Promise<void> {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const where = { host, port: Number(port || (isTls ? 443 : 80)) };
  const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  const tls = { ...where, ...servername, rejectUnauthorized: !insecure, ALPNProtocols: ['http/1.1'] };
  return new Promise((resolve, reject) => {
    const socket = isTls ? connectTls(tls) : connectPlain(where);
    const refuse = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(CONNECT_MS, () => {
      refuse(Object.assign(new Error('no connection was established'), { code: 'ETIMEDOUT' }));
    });
    socket.once('error', refuse);
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
