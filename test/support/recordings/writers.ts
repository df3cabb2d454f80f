/** HAR files in the formats of browsers and proxies, for the same exchanges. No code of taskdouble. */
import type { Exchange } from '../../../spec/vocabulary.js';

interface HarText {
  log: { entries: object[] } & Record<string, unknown>;
}

export type HarWriter = (exchanges: readonly Exchange[]) => HarText;

const HOST = 'https://api.tasks.example';

const toPairs = (headers: Readonly<Record<string, string>>, rename = (name: string) => name) =>
  Object.entries(headers).map(([name, value]) => ({ name: rename(name), value }));
const capitalize = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
const countBytes = (text: string) => Buffer.byteLength(text);
const toIso = (at: number) => new Date(at).toISOString();
const parseQuery = (url: string) =>
  [...new URLSearchParams(url.split('?')[1])].map(([name, value]) => ({ name, value }));

/** Entries to ignore: an image and a script of other hosts, and entries that are not HTTP. */
function createNoise(at: number, mimeTypes = ['image/svg+xml', 'text/javascript']): object[] {
  const urls = ['https://cdn.example/logo.svg', 'https://stats.example/api/v2/collect?e=1'];
  return urls.map((url, n) => ({
    startedDateTime: toIso(at + n),
    time: 3.25,
    request: {
      method: 'GET',
      url,
      httpVersion: 'h2',
      cookies: [],
      headers: [],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: '',
      httpVersion: 'h2',
      cookies: [],
      headers: [],
      content: { size: 11, mimeType: mimeTypes[n], text: '<svg></svg>' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 3, receive: 0.25 },
  }));
}

/** Chrome: HTTP/2 names, its own fields, preflight requests, times as fractions. */
export const writeChrome: HarWriter = (exchanges) => {
  const createEntry = ({ request, response }: Exchange, method = request.method) => ({
    _connectionId: '4711',
    _initiator: { type: 'script', stack: { callFrames: [] } },
    _priority: 'High',
    _resourceType: method === 'OPTIONS' ? 'preflight' : 'fetch',
    cache: {},
    connection: '443',
    pageref: 'page_1',
    request: {
      method,
      url: HOST + request.url,
      httpVersion: 'http/2.0',
      headers: [
        { name: ':authority', value: 'api.tasks.example' },
        { name: ':method', value: method },
        { name: ':path', value: request.url },
        ...(method === 'OPTIONS' ? [] : toPairs(request.headers)),
      ],
      queryString: parseQuery(request.url),
      cookies: [],
      headersSize: -1,
      bodySize: countBytes(request.body ?? ''),
      ...(request.body === undefined || method === 'OPTIONS'
        ? {}
        : { postData: { mimeType: 'application/json', text: request.body } }),
    },
    response: {
      status: method === 'OPTIONS' ? 204 : (response?.status ?? 0),
      statusText: '',
      httpVersion: 'http/2.0',
      headers: toPairs({ 'content-encoding': 'br', ...response?.headers }),
      cookies: [],
      content:
        method === 'OPTIONS'
          ? { size: 0, mimeType: 'x-unknown' }
          : {
              size: countBytes(response?.body ?? ''),
              mimeType: 'application/json',
              text: response?.body ?? '',
            },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 141,
      _error: response ? null : 'net::ERR_CONNECTION_RESET',
    },
    serverIPAddress: '203.0.113.7',
    startedDateTime: toIso(request.at),
    time: (response?.at ?? request.at) - request.at + 0.371999991312623,
    timings: {
      blocked: 0.1,
      dns: -1,
      ssl: -1,
      connect: -1,
      send: 0.05,
      wait: 4.2,
      receive: 0.4,
      _blocked_queueing: 0.08,
    },
  });
  const [first] = exchanges;
  return {
    log: {
      version: '1.2',
      creator: { name: 'WebInspector', version: '537.36' },
      pages: [
        {
          startedDateTime: toIso(first!.request.at - 500),
          id: 'page_1',
          title: 'https://app.tasks.example/',
          pageTimings: { onContentLoad: 187.2, onLoad: 301.7 },
        },
      ],
      entries: [
        ...createNoise(first!.request.at - 400),
        createEntry(first!, 'OPTIONS'),
        ...exchanges.flatMap((each, n) =>
          n === 2 ? [...createNoise(each.request.at), createEntry(each)] : [createEntry(each)],
        ),
      ],
    },
  };
};

/** Firefox: local times with an offset, empty `params`, bodies in base64, entries of two pages. */
export const writeFirefox: HarWriter = (exchanges) => ({
  log: {
    version: '1.2',
    creator: { name: 'Firefox', version: '143.0' },
    browser: { name: 'Firefox', version: '143.0' },
    pages: [
      {
        id: 'page_1',
        pageTimings: { onContentLoad: -24, onLoad: 36 },
        startedDateTime: toLocalTime(exchanges[0]!.request.at),
        title: 'Tasks',
      },
    ],
    entries: [
      ...createNoise(exchanges[0]!.request.at),
      ...exchanges.map(({ request, response }, n) => ({
        startedDateTime: toLocalTime(request.at),
        request: {
          bodySize: countBytes(request.body ?? ''),
          method: request.method,
          url: HOST + request.url,
          httpVersion: 'HTTP/2',
          headers: toPairs(request.headers, capitalize),
          cookies: [],
          queryString: parseQuery(request.url),
          headersSize: 412,
          ...(request.body === undefined
            ? {}
            : { postData: { mimeType: 'application/json', params: [], text: request.body } }),
        },
        response: response
          ? {
              status: response.status,
              statusText: '',
              httpVersion: 'HTTP/2',
              headers: toPairs(response.headers, capitalize),
              cookies: [],
              content:
                n % 2 === 0
                  ? {
                      mimeType: 'application/json; charset=utf-8',
                      size: countBytes(response.body),
                      text: response.body,
                    }
                  : {
                      mimeType: 'application/json; charset=utf-8',
                      size: countBytes(response.body),
                      encoding: 'base64',
                      text: Buffer.from(response.body).toString('base64'),
                    },
              redirectURL: '',
              headersSize: 220,
              bodySize: 220 + countBytes(response.body),
            }
          : {
              status: 0,
              statusText: '',
              httpVersion: '',
              headers: [],
              cookies: [],
              content: { size: 0, mimeType: 'x-unknown' },
              redirectURL: '',
              headersSize: -1,
              bodySize: -1,
            },
        cache: {},
        timings: {
          blocked: 0,
          dns: 0,
          connect: 0,
          ssl: 0,
          send: 0,
          wait: (response?.at ?? request.at) - request.at,
          receive: 0,
        },
        time: (response?.at ?? request.at) - request.at,
        _securityState: 'secure',
        serverIPAddress: '203.0.113.7',
        connection: '443',
        pageref: 'page_1',
      })),
    ],
  },
});

/** Two hours east of Greenwich. */
function toLocalTime(at: number): string {
  return toIso(at + 2 * 3_600_000).replace('Z', '+02:00');
}

/** Playwright: entries in order of completion, a monotonic time, bodies of other hosts in files. */
export const writePlaywright: HarWriter = (exchanges) => ({
  log: {
    version: '1.2',
    creator: { name: 'Playwright', version: '1.65.1' },
    browser: { name: 'chromium', version: '142.0.7444.0' },
    pages: [],
    entries: [
      ...[...exchanges].reverse().map(({ request, response }) => ({
        startedDateTime: toIso(request.at),
        time: (response?.at ?? request.at) - request.at,
        request: {
          method: request.method,
          url: HOST + request.url,
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: toPairs(request.headers),
          queryString: parseQuery(request.url),
          headersSize: 530,
          bodySize: countBytes(request.body ?? ''),
          ...(request.body === undefined
            ? {}
            : { postData: { mimeType: 'application/json', text: request.body, params: [] } }),
        },
        response: {
          status: response?.status ?? -1,
          statusText: '',
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: toPairs({ date: 'Thu, 01 Jan 2026 00:00:00 GMT', ...response?.headers }),
          content: {
            size: countBytes(response?.body ?? ''),
            mimeType: 'application/json',
            ...(response && { text: response.body }),
          },
          headersSize: 310,
          bodySize: countBytes(response?.body ?? ''),
          redirectURL: '',
          _transferSize: 311,
          ...(response ? {} : { _failureText: 'net::ERR_FAILED' }),
        },
        cache: {},
        timings: { dns: -1, connect: -1, ssl: -1, send: 0, wait: 4.1, receive: 0.9 },
        _monotonicTime: 8_675_309 + request.at - exchanges[0]!.request.at,
        _serverPort: 443,
        _securityDetails: {},
      })),
      ...createNoise(exchanges[0]!.request.at).map((each) => ({
        ...each,
        response: {
          ...(each as { response: object }).response,
          content: { size: 11, mimeType: 'image/svg+xml', _file: '6f1e2.svg' },
        },
      })),
    ],
  },
});

/** mitmproxy: compressed body sizes, comments, times in microseconds. */
export const writeMitmproxy: HarWriter = (exchanges) => ({
  log: {
    version: '1.2',
    creator: { name: 'mitmproxy', version: '1.2', comment: '' },
    pages: [],
    entries: exchanges.map(({ request, response }) => ({
      startedDateTime: toIso(request.at).replace('Z', '000+00:00'),
      time: (response?.at ?? request.at) - request.at + 0.4,
      request: {
        method: request.method,
        url: HOST + request.url,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: toPairs({ host: 'api.tasks.example', ...request.headers }, capitalize),
        queryString: parseQuery(request.url),
        headersSize: 177,
        bodySize: countBytes(request.body ?? ''),
        ...(request.body === undefined
          ? {}
          : { postData: { mimeType: 'application/json', text: request.body, params: [] } }),
      },
      response: response
        ? {
            status: response.status,
            statusText: 'OK',
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: toPairs({ 'content-encoding': 'gzip', ...response.headers }, capitalize),
            content: {
              size: Math.ceil(countBytes(response.body) / 2),
              compression: Math.floor(countBytes(response.body) / 2),
              mimeType: 'application/json',
              text: response.body,
            },
            redirectURL: '',
            headersSize: 200,
            bodySize: Math.ceil(countBytes(response.body) / 2),
          }
        : {
            status: 0,
            statusText: '',
            httpVersion: '',
            headers: [],
            cookies: [],
            content: {},
            redirectURL: '',
            headersSize: -1,
            bodySize: -1,
            _transferSize: 0,
            _error: 'connection closed',
          },
      cache: {},
      timings: { connect: -1.0, ssl: -1.0, send: 0.2, receive: 1.1, wait: 4.4 },
      serverIPAddress: '203.0.113.7',
    })),
  },
});

/** Charles: its own states, comments, and a session with two hosts. */
export const writeCharles: HarWriter = (exchanges) => ({
  log: {
    comment: 'Exported from Charles 5.0',
    version: '1.2',
    creator: { name: 'Charles Proxy', version: '5.0' },
    entries: [
      ...exchanges.map(({ request, response }) => ({
        startedDateTime: toIso(request.at),
        time: (response?.at ?? request.at) - request.at,
        comment: response ? '' : 'Client closed connection before receiving the entire response',
        timings: { dns: -1, connect: -1, ssl: -1, send: 0, wait: 4, receive: 1 },
        request: {
          method: request.method,
          url: HOST + request.url,
          httpVersion: 'HTTP/1.1',
          headers: toPairs(request.headers),
          cookies: [],
          queryString: parseQuery(request.url),
          headersSize: 300,
          bodySize: countBytes(request.body ?? ''),
          ...(request.body === undefined
            ? {}
            : { postData: { mimeType: 'application/json', text: request.body } }),
        },
        response: {
          ...(response
            ? { status: response.status, _charlesStatus: 'COMPLETE' }
            : { status: 0, _charlesStatus: 'FAILED' }),
          statusText: '',
          httpVersion: 'HTTP/1.1',
          headers: toPairs({ 'transfer-encoding': 'chunked', ...response?.headers }, capitalize),
          cookies: [],
          content: response
            ? { size: countBytes(response.body), mimeType: 'application/json', text: response.body }
            : { size: 0, mimeType: '' },
          redirectURL: null,
          headersSize: 0,
          bodySize: countBytes(response?.body ?? ''),
        },
        serverIPAddress: '203.0.113.7',
        cache: {},
        connection: '52',
      })),
      ...createNoise(exchanges[0]!.request.at + 20),
    ],
  },
});

/** Safari: no browser version, unknown sizes, keys kept. */
export const writeSafari: HarWriter = (exchanges) => ({
  log: {
    version: '1.2',
    creator: { name: 'WebKit Web Inspector', version: '1.0' },
    pages: [
      {
        startedDateTime: toIso(exchanges[0]!.request.at),
        id: 'page_0',
        title: 'https://app.tasks.example/',
        pageTimings: {},
      },
    ],
    entries: exchanges.map(({ request, response }) => ({
      pageref: 'page_0',
      startedDateTime: toIso(request.at),
      time: (response?.at ?? request.at) - request.at + 0.00001,
      request: {
        method: request.method,
        url: HOST + request.url,
        httpVersion: '',
        cookies: [],
        headers: toPairs(request.headers, capitalize),
        queryString: parseQuery(request.url),
        headersSize: -1,
        bodySize: -1,
        ...(request.body === undefined
          ? {}
          : { postData: { mimeType: 'application/json', text: request.body, params: [] } }),
      },
      response: {
        status: response?.status ?? 0,
        statusText: '',
        httpVersion: '',
        cookies: [],
        headers: toPairs(response?.headers ?? {}, capitalize),
        content: {
          size: countBytes(response?.body ?? ''),
          compression: 0,
          mimeType: 'application/json',
          ...(response && { text: response.body }),
        },
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
        _transferSize: 0,
        ...(response ? {} : { _error: 'cancelled' }),
      },
      cache: {},
      timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 4.9, receive: 0.1 },
      serverIPAddress: '203.0.113.7',
      _serverPort: 443,
      connection: '1',
      _fetchType: 'Network Load',
      _priority: 'medium',
    })),
  },
});
