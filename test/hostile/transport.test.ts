import { describe, expect, it } from 'vitest';
import { Mock } from '../../mock/mock.js';
import { EMPTY_ZIP } from '../support/mock/api.js';
import { checkErrorResponse, HostileClient, JSON_TYPE } from '../support/mock/hostile-client.js';
import { hangUp, sendBytes } from '../support/mock/raw-http.js';

/** After each of these the server is asked whether it goes on. */
const client = new HostileClient().install();

describe('forms', () => {
  const form = (path: string, body: string, type = 'multipart/form-data; boundary=part') =>
    client.post(path, body, { 'content-type': type });

  const part = (name: string, content: string, file = true) =>
    `--part\r\ncontent-disposition: form-data; name="${name}"${file ? '; filename="f"' : ''}\r\n\r\n${content}\r\n`;

  it.each([
    ['no part at all', '--part--\r\n', ['body', 'file'], /required|no parts/],
    ['another part', `${part('upload', 'x')}--part--\r\n`, ['body', 'file'], /the form has "upload"/],
    ['a text for a file', `${part('file', 'x', false)}--part--\r\n`, ['body', 'file'], /Expected a file/],
    [
      'two files for one',
      `${part('file', 'x')}${part('file', 'y')}--part--\r\n`,
      ['body', 'file'],
      /Expected one/,
    ],
    [
      'a purpose that is too long',
      `${part('file', 'x')}${part('file_purpose', 'p'.repeat(65), false)}--part--\r\n`,
      ['body', 'file_purpose'],
      /at most 64/,
    ],
    ['another boundary', part('file', 'x').replaceAll('--part', '--other'), ['body'], /Not a form/],
    ['no end', part('file', 'x'), ['body'], /Not a form/],
    ['thousands of parts', `${part('file', 'x').repeat(5000)}--part--\r\n`, ['body'], /at most 64 parts/],
    ['nothing', '', ['body'], /empty/],
  ])('%s', async (_, body, loc, words) => {
    checkErrorResponse(await form('/file', body), 422, words, loc as unknown[]);
  });

  it.each([
    ['JSON instead', 'application/json', /multipart\/form-data/],
    ['no boundary', 'multipart/form-data', /no boundary/],
  ])('%s', async (_, type, words) => {
    checkErrorResponse(await form('/file', `${part('file', 'x')}--part--\r\n`, type), 422, words, ['body']);
  });

  it('an extension that is no archive', async () => {
    checkErrorResponse(
      await form('/extension', `${part('file', 'PK but no more')}--part--\r\n`),
      400,
      /no ZIP/,
    );
    const zip = Buffer.from(EMPTY_ZIP).toString('latin1');
    expect(await form('/extension', `${part('file', zip)}--part--\r\n`)).toMatchObject({ status: 200 });
  });
});

describe('bodies that are too large', () => {
  const most = 10 * 1024 * 1024;

  it('JSON beyond the bound is 413, and up to it is read', async () => {
    const padded = (size: number) => `{"task":null,"x":"${'x'.repeat(size - 20)}"}`;
    checkErrorResponse(await client.post('/task', padded(most + 1)), 413, /larger than this service takes/);
    expect(padded(most).length).toBe(most);
    expect(await client.post('/task', padded(most))).toMatchObject({ status: 200 });
  });

  it('in pieces, without saying how large', async () => {
    const piece = `${(1024 * 1024).toString(16)}\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    const headers = { 'transfer-encoding': 'chunked', ...JSON_TYPE };
    checkErrorResponse(
      await client.send('/task', { method: 'POST', headers, body: `${piece.repeat(12)}0\r\n\r\n` }),
      413,
      /larger/,
    );
  });

  it('in process too', async () => {
    const init = { method: 'POST', headers: { apikey: 'k' }, body: 'x'.repeat(most + 1) };
    const response = await client.mock.fetch('/api/v1/task', init);
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ detail: expect.stringMatching(/larger/) });
  });

  it('a file beyond the bound for uploads', async () => {
    const small = new Mock({ dialect: { 'limits.upload-size': 2048 } });
    const body = new FormData();
    body.append('file', new Blob(['x'.repeat(2049)]), 'f');
    const response = await small.fetch('/api/v1/file', { method: 'POST', headers: { apikey: 'k' }, body });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ detail: expect.stringMatching(/2049 bytes; at most 2048/) });
    await small.close();
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['noise', '\u0001\u0002\u0003\r\n\r\n', 400],
    ['a request line that is none', 'HELLO\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/v1/task HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
    ],
    [
      'a piece of no size',
      'POST /api/v1/task HTTP/1.1\r\nhost: x\r\napikey: k\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
  ])('%s', async (_, bytes, status) => {
    checkErrorResponse(await sendBytes(client.port, bytes), status, /HTTP\/1\.1/);
  });

  it('a client that hangs up in the middle of its body', async () => {
    await hangUp(
      client.port,
      'POST /api/v1/task HTTP/1.1\r\nhost: x\r\napikey: k\r\ncontent-length: 100\r\n\r\n{"task"',
    );
  });

  it('a client that does not wait for its answer', async () => {
    await hangUp(client.port, 'GET /api/v1/usage HTTP/1.1\r\nhost: x\r\napikey: k\r\n\r\n');
  });
});
