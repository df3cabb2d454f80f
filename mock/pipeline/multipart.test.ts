import { describe, expect, it } from 'vitest';
import { operations } from '../../spec/generated/operations.js';
import { createForm } from '../../test/support/mock/api.js';
import { InvalidInput } from '../exchange/errors.js';
import type { WireRequest } from '../exchange/wire.js';
import { readMultipart } from './multipart.js';

function createRequest(body: WireRequest['body'], type?: string): WireRequest {
  return {
    method: 'POST',
    url: '/',
    headers: type === undefined ? {} : { 'content-type': type },
    body,
    loopback: true,
  };
}

async function encode(form: FormData): Promise<WireRequest> {
  const response = new Response(form);
  return createRequest(new Uint8Array(await response.arrayBuffer()), response.headers.get('content-type')!);
}

/** Loc and message of the first problem; any error other than InvalidInput is rethrown. */
async function readProblem(
  request: WireRequest,
  expected = operations.uploadFile.body!.parts!,
): Promise<string> {
  try {
    await readMultipart(request, expected);
  } catch (error) {
    if (error instanceof InvalidInput) return error.detail;
    throw error;
  }
  return 'no problem';
}

const PART = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhi\r\n';

describe('readMultipart', () => {
  it('reads files and texts, and ignores unknown parts', async () => {
    const form = createForm({
      file: new File(['héé'], 'ü.txt', { type: 'text/plain' }),
      file_purpose: 'test',
    });
    form.append('__proto__', 'x');
    const { files, texts } = await readMultipart(await encode(form), operations.uploadFile.body!.parts!);
    expect(files).toEqual([
      {
        part: 'file',
        filename: 'ü.txt',
        type: expect.stringContaining('text/plain'),
        bytes: new TextEncoder().encode('héé'),
      },
    ]);
    expect({ ...texts }).toEqual({ file_purpose: 'test' });
  });

  it('keeps bytes as they are', async () => {
    const bytes = Uint8Array.from({ length: 1024 }, (_, n) => n % 256);
    const { files } = await readMultipart(
      await encode(createForm({ file: bytes })),
      operations.uploadFile.body!.parts!,
    );
    expect(files[0]!.bytes).toEqual(bytes);
  });

  it('accepts several files if allowed', async () => {
    const form = createForm({ message: 'm', files: [new File(['1'], 'a'), new File(['2'], 'b')] });
    const { files } = await readMultipart(await encode(form), operations.createMessage.body!.parts!);
    expect(files.map(({ filename }) => filename)).toEqual(['a', 'b']);
  });

  it.each([
    ['with a last line end', `${PART}--b--\r\n`],
    ['without one', `${PART}--b--`],
  ])('reads a form written by hand %s', async (_, body) => {
    const { files } = await readMultipart(
      createRequest(body, 'multipart/form-data; boundary="b"'),
      operations.uploadFile.body!.parts!,
    );
    expect(new TextDecoder().decode(files[0]!.bytes)).toBe('hi');
  });

  it.each([
    ['no content type', createRequest('x'), /body: .*got no content type/],
    ['another content type', createRequest('{}', 'application/json'), /body: .*got application\/json/],
    ['no boundary', createRequest(PART, 'multipart/form-data'), /body: .*names no boundary/],
    ['no body', createRequest(null, 'multipart/form-data; boundary=b'), /body: .*is empty/],
    ['a cut body', createRequest(PART.slice(0, -6), 'multipart/form-data; boundary=b'), /body: Not a form/],
    ['no form at all', createRequest('hello', 'multipart/form-data; boundary=b'), /body: Not a form/],
    [
      'another boundary',
      createRequest(`${PART}--b--\r\n`, 'multipart/form-data; boundary=c'),
      /body: Not a form/,
    ],
    [
      'lines ended by LF alone',
      createRequest(`${PART}--b--\n`.replaceAll('\r', ''), 'multipart/form-data; boundary=b'),
      /body: Not a form/,
    ],
    [
      'a strange boundary',
      createRequest('x', `multipart/form-data; boundary=${'('.repeat(500)}`),
      /body: Not a form/,
    ],
    [
      'too many parts',
      createRequest(`${PART.repeat(65)}--b--\r\n`, 'multipart/form-data; boundary=b'),
      /body: Expected at most 64/,
    ],
  ])('refuses %s', async (_, request, message) => {
    expect(await readProblem(request)).toMatch(message);
  });

  it('accepts the highest number of parts allowed', async () => {
    const others = PART.replace('"file"', '"other"').repeat(63);
    expect(
      await readProblem(createRequest(`${others}${PART}--b--\r\n`, 'multipart/form-data; boundary=b')),
    ).toBe('no problem');
  });

  it.each([
    [
      'a missing part, naming those there are',
      createForm({ upload: 'x' }),
      /^body\.file: .*required; the form has "upload"/,
    ],
    ['a text instead of a file', createForm({ file: 'x' }), /^body\.file: Expected a file .*got a text/],
    [
      'a file instead of a text',
      createForm({ file: new File([], 'a'), file_purpose: new File([], 'b') }),
      /^body\.file_purpose: Expected a text/,
    ],
    [
      'a text that is too long',
      createForm({ file: new File([], 'a'), file_purpose: 'x'.repeat(65) }),
      /^body\.file_purpose: Expected at most 64 characters, got 65/,
    ],
    [
      'a part that comes twice',
      createForm({ file: [new File([], 'a'), new File([], 'b')] }),
      /^body\.file: Expected one part, got 2/,
    ],
  ])('refuses %s', async (_, form, message) => {
    expect(await readProblem(await encode(form))).toMatch(message);
  });

  it('counts characters, not code units', async () => {
    const form = createForm({ file: new File([], 'a'), file_purpose: '🌦'.repeat(64) });
    expect(await readProblem(await encode(form))).toBe('no problem');
  });
});
