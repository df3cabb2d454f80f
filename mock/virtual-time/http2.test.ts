import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Mock } from '../mock.js';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// Node.js publishes its requests from version 22 on.
it.skipIf(major < 22 || (major === 22 && minor < 23)).each(['before the run', 'in the run'])(
  'HTTP/2 responds in real time: connected %s',
  async (when) => {
    const mock = new Mock({ clock: 'manual' });
    const server = createServer();
    server.on('stream', async (stream) => {
      await wait(40);
      stream.respond({ ':status': 200 }, { endStream: true });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const before = when === 'in the run' ? undefined : connect(origin);
    if (before) await once(before, 'connect');
    const sendRequest = async () => {
      const session = before ?? connect(origin);
      const [headers] = await once(session.request({ ':path': '/' }), 'response');
      session.destroy();
      return headers[':status'];
    };
    const first = await mock.time.run(() => Promise.race([wait(1).then(() => 'timer'), sendRequest()]));
    expect(first).toBe(200);
    server.close();
    await mock.close();
  },
);
