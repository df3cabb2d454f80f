import { get } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer, type Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEY } from '../../test/support/virtual-time/poller.js';
import { Mock } from '../mock.js';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let mock: Mock;
beforeEach(() => {
  mock = new Mock({ clock: 'manual' });
});
afterEach(() => mock.close());

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

/** Reads up to the end of a line. */
function lineOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('\n')) resolve(text.trim());
    });
  });
}

const raceWithTimer = (sendData: () => Promise<unknown>) =>
  mock.time.run(() => Promise.race([wait(1).then(() => 'timer'), sendData()]));

describe('a socket of the client’s own', () => {
  /** Sends a greeting on connection if `greets`; responds to each line if `responds`. */
  const serverOf = ({ greets = false, responds = false }) => {
    // It also responds after the client has ended its side.
    const server = createNetServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      if (greets) setTimeout(() => socket.write('hello\n'), 40);
      socket.on('data', () => responds && setTimeout(() => socket.write('tea\n'), 40));
    });
    servers.push(server);
    return listen(server);
  };
  const sockets: Socket[] = [];
  const servers: Server[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  it.each<[string, (socket: Socket) => unknown]>([
    ['writes', (socket) => socket.write('tea?\n')],
    ['ends with data', (socket) => socket.end('tea?\n')],
  ])('responds in real time to a client that %s', async (_, sendData) => {
    const port = await serverOf({ responds: true });
    const before = await connectTo(port);
    const ways = [async () => before, () => connectTo(port)];
    for (const way of ways) {
      const response = await raceWithTimer(async () => {
        const socket = await way();
        sendData(socket);
        return lineOf(socket);
      });
      expect(response).toBe('tea');
    }
  });

  it('sends a greeting in real time to a client that connects', async () => {
    const port = await serverOf({ greets: true });
    expect(await raceWithTimer(async () => lineOf(await connectTo(port)))).toBe('hello');
  });

  it('is awaited again after each message', async () => {
    const socket = await connectTo(await serverOf({ responds: true }));
    const passed = await mock.time.run(async () => {
      const began = Date.now();
      const timer = setInterval(() => {}, 1);
      for (let question = 0; question < 3; question++) {
        const response = new Promise((resolve) => socket.once('data', resolve));
        socket.write('tea?\n');
        await response;
      }
      clearInterval(timer);
      return Date.now() - began;
    });
    // After a response, virtual time may advance before the next request, but not while a response is due.
    expect(passed).toBe(0);
  });

  it('that never responds is abandoned once, and the error of a hang says so', async () => {
    const port = await serverOf({});
    const socket = await connectTo(port);
    const client = async () => {
      for (let line = 0; line < 20; line++) {
        socket.write('log\n');
        await wait(60_000);
      }
      await new Promise(() => {});
    };
    await expect(mock.time.run(client, { stalledMs: 1e9 })).rejects.toThrow(
      `A request to 127.0.0.1:${port} had no response.`,
    );
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'gets a response',
      async () => {
        const socket = await connectTo(await serverOf({ responds: true }));
        socket.write('tea?\n');
        await lineOf(socket);
      },
    ],
    [
      'belongs to a server of its own',
      async () => {
        const server = createNetServer((socket) => {
          sockets.push(socket);
          socket.write('hello\n');
        });
        servers.push(server);
        await lineOf(await connectTo(await listen(server)));
      },
    ],
    [
      'is a request to the mock',
      async () => {
        const { baseUrl } = await mock.listen();
        get(`${baseUrl}/api/v1/usage`, { headers: { apikey: KEY } });
      },
    ],
    [
      'leads to the mock',
      async () => {
        const { baseUrl } = await mock.listen();
        const socket = await connectTo(Number(new URL(baseUrl).port));
        socket.write(`GET /api/v1/usage HTTP/1.1\r\nhost: mock\r\napikey: ${KEY}\r\n\r\n`);
      },
    ],
    [
      'has no reader',
      async () => {
        const port = await serverOf({});
        const socket = new Socket({ readable: false });
        await new Promise<void>((resolve) => socket.connect(port, '127.0.0.1', resolve));
        socket.write('log\n');
      },
    ],
  ])('is not reported as the cause of a hang if it %s', async (_, client) => {
    await mock.network.set('hold of any until gate never at_most 2h', KEY);
    const hang = mock.time.run(async () => {
      await client();
      await new Promise(() => {});
    });
    const error = await hang.catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.not.stringMatching(/A request to/) });
    expect(error).toMatchObject({ message: expect.stringContaining('The client did not end') });
  });
});
