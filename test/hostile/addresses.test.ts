import { afterEach, describe, expect, it } from 'vitest';
import { findRefusal } from '../../mock/admin/admin.js';
import { findPathBelow, findTargetPath, isTargetBelow } from '../../spec/addresses.js';
import { exchangeBytes } from '../support/proxy/raw.js';
import { closeAll, send, startProxy, startService } from '../support/proxy/servers.js';

afterEach(closeAll);

/** The service, with a base path, and forms of addresses that lead out of it: to HOST, or to another path of the service. */
const BASE = 'http://service.example:8080/base';
const FORMS_OF_ANOTHER_HOST = [
  'http://HOST/x',
  'HTTPS://HOST/x',
  '//HOST/x',
  '\\\\HOST/x',
  '\\/HOST/x',
  '/\\HOST/x',
  'ht\ttp://HOST/x',
  '/\t/HOST/x',
  ' //HOST/x',
  'http:\\\\HOST\\x',
  'http:/\\HOST/x',
  'https:HOST/x',
  'http://service.example:8080@HOST/base/x',
  'http://service.example:8080\\@HOST/base/x',
  'http://service.example:80800/base/x',
  'http://service.example:8080.HOST/base/x',
  'https://service.example:8080/base/x',
  'http://service.example/base/x',
  'javascript:fetch("http://HOST")',
  'data:,x',
];
const FORMS_OF_ANOTHER_PATH = [
  '/',
  '/basement',
  '/base/../admin',
  '/base/%2e%2e/admin',
  '/base/.%2E/admin',
  '/base/x/../../admin',
  '/base\\..\\admin',
  '../../../admin',
  '..\\..\\..\\admin',
  'http://service.example:8080/admin',
];
const INSIDE: readonly [given: string, below: string][] = [
  ['/base/api/v1/task', '/api/v1/task'],
  ['/base', '/'],
  ['task/t1?x=1#y', '/api/v1/task/t1?x=1#y'],
  ['http://SERVICE.example:8080/base/x', '/x'],
  ['//service.example:8080/base/x', '/x'],
  ['../v1/task', '/api/v1/task'],
  ['/base//HOST/x', '/.//HOST/x'],
];

describe('an address of the service', () => {
  const read = (reference: string) =>
    findPathBelow(BASE, reference.replaceAll('HOST', 'evil.example'), `${BASE}/api/v1/task`);

  it.each([...FORMS_OF_ANOTHER_HOST, ...FORMS_OF_ANOTHER_PATH])('is not %j', (reference) => {
    expect(read(reference)).toBeUndefined();
  });

  it.each(INSIDE)('is %j', (reference, below) => {
    expect(read(reference)).toBe(below.replaceAll('HOST', 'evil.example'));
  });
});

describe('the target of a request', () => {
  it.each([
    '/../../admin',
    '/..',
    '/%2e%2e/admin',
    '/api/../../admin',
    '/x//../../admin',
    '/\\..\\..\\admin',
    '/.%2e/admin',
    '/..%2f..%2fadmin',
    '/%2E%2E%2Fadmin',
    '/x/%2e%2e%5C..%5cadmin',
    '/x%2F%2F..%2F..%2Fadmin',
  ])('leaves a base path as %j', (target) => {
    expect(isTargetBelow(BASE, target)).toBe(false);
  });

  it.each(['/api/v1/task', '/', '/api/v1/../v1/task', '/a/..', '//x', '/api/v1/task/%2F..%2F', '/x?../../y'])(
    'stays below it as %j',
    (target) => {
      expect(isTargetBelow(BASE, target)).toBe(true);
    },
  );

  it.each([
    ['http://any.example/api/v1/task?x=1', '/api/v1/task?x=1'],
    ['HTTPS://any.example', '/'],
    ['http://any.example\\@other/x', '/@other/x'],
    ['ftp://any.example/x', undefined],
    ['*', undefined],
    ['any.example:443', undefined],
  ])('as a whole address: %j', (target, path) => {
    expect(findTargetPath(target)).toBe(path);
  });
});

describe('a proxy', () => {
  /** Counts the requests that reach another host. */
  async function startElsewhere() {
    const reached: string[] = [];
    const origin = await startService((request, response) => {
      reached.push(String(request.headers.apikey));
      response.end('{}');
    });
    return { host: new URL(origin).host, reached };
  }

  it.each(FORMS_OF_ANOTHER_HOST.map((form) => form.replaceAll('service.example:8080', '127.0.0.1:1')))(
    'sends no key to another host that a redirect names as %j',
    async (form) => {
      const { host, reached } = await startElsewhere();
      const target = await startService((request, response) => {
        // Written by hand: node:http refuses tabs that services may send.
        request.socket.end(
          `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${form.replaceAll('HOST', host)}\r\nContent-Length: 0\r\n\r\n`,
        );
        response.destroy();
      });
      const { url } = await startProxy(target);
      const response = await fetch(`${url}/api/v1/task`, { headers: { apikey: 'the-key' } });
      expect([response.status, reached]).toEqual([502, []]);
    },
  );

  it.each([
    ['refresh', '0; url=//HOST/x', undefined],
    ['refresh', "5, URL = '\\\\HOST/x'", undefined],
    ['refresh', '5', '5'],
    ['refresh', '0; url=/api/v1/task', '0; url=/api/v1/task'],
    ['location', '//HOST/x', '//HOST/x'],
    ['location', 'TARGET/api/v1/task/t1', '/api/v1/task/t1'],
    ['content-location', 'TARGET/api/v1/task/t1', '/api/v1/task/t1'],
  ])('with the header %s: %s of a 201 passes on %s', async (name, value, passed) => {
    const target = await startService((request, response) => {
      const own = `http://${request.headers.host}`;
      response.writeHead(201, { [name]: value.replace('TARGET', own) }).end('{}');
    });
    const { url } = await startProxy(target);
    const { headers } = await send(`${url}/api/v1/task`);
    const at = headers.indexOf(name);
    expect(at === -1 ? undefined : headers[at + 1]).toBe(passed);
  });

  it.each(['/../../admin', '/%2e%2e/admin', '/api/v1/../../../admin'])(
    'does not leave the base path of its target for %s',
    async (path) => {
      let asked = 0;
      const target = await startService((_, response) => {
        asked++;
        response.end('{}');
      });
      const { port } = await startProxy(`${target}/base`);
      const response = await exchangeBytes(
        port,
        `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      );
      expect(response).toMatch(/^HTTP\/1\.1 400 .*leaves .*nothing was forwarded/s);
      expect(asked).toBe(0);
    },
  );

  it.each(['*', 'ftp://127.0.0.1/x'])('says itself that %s is no path', async (target) => {
    const service = await startService((_, response) => response.end('{}'));
    const { port } = await startProxy(service);
    const response = await exchangeBytes(
      port,
      `OPTIONS ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 .*is not a path: nothing was forwarded/s);
  });
});

describe('the admin API', () => {
  const asked = (host: string, origin?: string) =>
    findRefusal(
      { method: 'GET', url: '/__admin/health', headers: { host, origin }, body: null, loopback: true },
      undefined,
    );

  it.each(['localhost', 'LOCALHOST:4010', '127.0.0.1:4010', '[::1]:4010'])('is open at %s', (host) => {
    expect(asked(host)).toBeUndefined();
    expect(asked(host, new URL(`http://${host}`).origin)).toBeUndefined();
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1:4010@evil.example',
    'evil.example/localhost',
    'localhost:4010/../',
    'localhost\\@evil.example',
    'localhost:port',
    '',
    '[::1]evil',
  ])('is closed at %j', (host) => {
    expect(asked(host)).toMatch(/is open at localhost/);
  });

  it.each(['http://evil.example', 'http://localhost:4011', 'https://localhost:4010', 'null', 'file://'])(
    'is closed to pages of %s',
    (origin) => {
      expect(asked('localhost:4010', origin)).toMatch(/closed to pages of other origins/);
    },
  );
});
