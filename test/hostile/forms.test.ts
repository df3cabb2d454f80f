import { afterEach, describe, expect, it } from 'vitest';
import { Mock } from '../../mock/mock.js';

const mock = new Mock({ clock: 'manual' });
afterEach(() => mock.reset());

const TEXT = 'Content-Type: text/plain\r\n';
/** The part `file` of a form, with its Content-Disposition. */
const part = (disposition: string, headers = '', content = 'tea') =>
  `--b\r\n${headers}Content-Disposition: ${disposition}\r\n\r\n${content}\r\n`;
const form = (...of: Parameters<typeof part>) => `${part(...of)}--b--\r\n`;
const FILE = part('form-data; name="file"; filename="x.txt"');

/** What a client sends, and the name that the service gives the file. */
const ACCEPTED: readonly [client: string, body: string | Uint8Array, filename: string, boundary?: string][] =
  [
    ['a browser', form('form-data; name="file"; filename="x.txt"', TEXT), 'x.txt'],
    [
      'a browser, whose file has a quote',
      form('form-data; name="file"; filename="a%22b.txt"', TEXT),
      'a"b.txt',
    ],
    [
      'a browser, whose file has a backslash',
      form('form-data; name="file"; filename="a\\b.txt"'),
      'a\\b.txt',
    ],
    ['a browser, whose file ends with a backslash', form('form-data; name="file"; filename="a\\"'), 'a\\'],
    ['a browser without a file', form('form-data; name="file"; filename=""'), ''],
    ['fetch in Node.js', form('form-data; name="file"; filename="blob"', TEXT), 'blob'],
    ['.NET', form("form-data; name=file; filename=x.txt; filename*=utf-8''x.txt"), 'x.txt', '"b"'],
    [
      '.NET with a name that is not ASCII',
      form(`form-data; name=file; filename="=?utf-8?B?w7wudHh0?="; filename*=utf-8''%C3%BC.txt`, TEXT),
      'ü.txt',
      '"b"',
    ],
    ['Go', form('form-data; name="file"; filename="a\\"b\\\\c.txt"', '', 'tea'), 'a"b\\c.txt'],
    ['curl before 7.81', form('form-data; name="file"; filename="a\\"b.txt"', TEXT), 'a"b.txt'],
    ['curl', form('form-data; name="file"; filename="a%22b.txt"', TEXT), 'a"b.txt'],
    ['requests', form('form-data; name="file"; filename="ü.txt"'), 'ü.txt'],
    ['older requests', form('form-data; name="file"; filename*=utf-8\'\'%E2%82%AC%20.txt'), '€ .txt'],
    ['httpx', form('form-data; name="file"; filename="x.txt"', TEXT), 'x.txt'],
    [
      'email.mime of Python',
      form('form-data; name="file"; filename="x.txt"', 'Content-Type: text/plain\r\nMIME-Version: 1.0\r\n'),
      'x.txt',
    ],
    ['aiohttp', form('form-data; name="file"; filename="x.txt"', 'Content-Length: 3\r\n'), 'x.txt'],
    [
      'Java, with the header of an encoding',
      form('form-data; name="file"; filename="x"', 'Content-Transfer-Encoding: binary\r\n'),
      'x',
    ],
    [
      'PHP, in lower case',
      FILE.replace('Content-Disposition', 'content-disposition').concat('--b--\r\n'),
      'x.txt',
    ],
    [
      'header names and values in capitals',
      form('FORM-DATA; NAME="file"; FILENAME="x.txt"').replace('Content', 'CONTENT'),
      'x.txt',
    ],
    ['no space after the semicolon', form('form-data;name="file";filename="x.txt"'), 'x.txt'],
    [
      'no space after the colon',
      form('form-data; name="file"; filename="x.txt"').replace(': ', ':'),
      'x.txt',
    ],
    ['spaces around the equals sign', form('form-data; name = "file" ; filename = x.txt ;'), 'x.txt'],
    ['a folded header', form('form-data; name="file";\r\n  filename="x.txt"'), 'x.txt'],
    ['a semicolon in the file name', form('form-data; name="file"; filename="a;b=c.txt"'), 'a;b=c.txt'],
    [
      'an unknown charset beside a plain name',
      form('form-data; name="file"; filename=x; filename*=klingon\'\'y'),
      'x',
    ],
    ['a name in latin1', Buffer.from(form('form-data; name="file"; filename="ü"'), 'latin1'), 'ü'],
    [
      'no line end after the closing boundary',
      form('form-data; name="file"; filename="x"').slice(0, -2),
      'x',
    ],
    [
      'text before the first boundary',
      `Not for you.\r\n${form('form-data; name="file"; filename="x"')}`,
      'x',
    ],
    ['a line end before the first boundary', `\r\n${form('form-data; name="file"; filename="x"')}`, 'x'],
    ['text behind the closing boundary', `${form('form-data; name="file"; filename="x"')}Not for you.`, 'x'],
    ['spaces behind a boundary', form('form-data; name="file"; filename="x"').replace('--b', '--b \t'), 'x'],
    [
      'a boundary with signs of patterns',
      form('form-data; name="file"; filename="x"').replaceAll('--b', "--'()+_,-./:=?"),
      'x',
      '"\'()+_,-./:=?"',
    ],
  ];

const NOT_A_FORM = 'Not a form that can be read: ';
/** What a client sends, and the start of the message. */
const REFUSED: readonly [form: string, body: string, message: string][] = [
  ['JSON', '{"file":"x"}', `${NOT_A_FORM}no line begins with "--b", the boundary of the content type.`],
  [
    'another boundary',
    form('form-data; name="file"').replaceAll('--b', '--c'),
    `${NOT_A_FORM}no line begins with "--b"`,
  ],
  [
    'line ends without CR',
    `${FILE}--b--`.replaceAll('\r', ''),
    `${NOT_A_FORM}part 1: expected a line end (CR LF) after the boundary, got "\\nContent-Disposition`,
  ],
  [
    'a boundary that goes on',
    `${FILE}--bcd\r\n\r\n--b--`,
    `${NOT_A_FORM}part 2: expected a line end (CR LF) after the boundary, got "cd`,
  ],
  ['a file that is cut off', FILE, `${NOT_A_FORM}part 1 ("file") is cut off: there is no "--b" behind it.`],
  [
    'headers that are cut off',
    `${FILE}--b\r\nContent-Disposition: form-data`,
    `${NOT_A_FORM}part 2: its headers do not end with an empty line`,
  ],
  [
    'no empty line',
    FILE.replace('\r\n\r\n', '\r\n').concat('--b--\r\n'),
    `${NOT_A_FORM}part 1: its headers do not end with an empty line (CR LF CR LF).`,
  ],
  ['no headers', '--b\r\n\r\ntea\r\n--b--', `${NOT_A_FORM}part 1 has no header Content-Disposition.`],
  [
    'no Content-Disposition',
    `--b\r\n${TEXT}\r\ntea\r\n--b--`,
    `${NOT_A_FORM}part 1 has no header Content-Disposition.`,
  ],
  ['no name', form('form-data; filename="x"'), `${NOT_A_FORM}part 1 has no name in its Content-Disposition.`],
  [
    'another disposition',
    form('attachment; filename="x"'),
    `${NOT_A_FORM}part 1: expected a Content-Disposition such as form-data; name="..."; filename="...", got "attachment; filename`,
  ],
  [
    'a quote that is not closed',
    form('form-data; name="file; filename=x'),
    `${NOT_A_FORM}part 1: expected a Content-Disposition`,
  ],
  [
    'a name that RFC 5987 does not allow',
    form('form-data; name="file"; filename*=%ff'),
    `${NOT_A_FORM}part 1: expected a Content-Disposition`,
  ],
  [
    'a header without a colon',
    form('form-data; name="file"', 'Content-Type text/plain\r\n'),
    `${NOT_A_FORM}part 1: expected a header such as "Name: value", got "Content-Type text/plain".`,
  ],
  [
    'headers without an end',
    form('form-data; name="file"', `X: ${'x'.repeat(20_000)}\r\n`),
    `${NOT_A_FORM}part 1: its headers are longer than 16384 bytes.`,
  ],
  [
    'a part behind the closing boundary',
    `${FILE}--b--\r\n${FILE}--b--\r\n`,
    `${NOT_A_FORM}part 2 follows the closing boundary "--b--".`,
  ],
  ['only the closing boundary', '--b--\r\n', 'This part is required; the form has no parts.'],
  ['65 parts', `${FILE.repeat(65)}--b--`, 'Expected at most 64 parts.'],
  [
    'a text for a file',
    form('form-data; name="file"', 'Content-Type: application/octet-stream\r\n'),
    'Expected a file (a part with a filename), got a text.',
  ],
  [
    'a text that is not in its charset',
    FILE + form('form-data; name="file_purpose"', 'Content-Type: text/plain; charset=klingon\r\n'),
    'The text is not valid klingon.',
  ],
];

async function upload(body: string | Uint8Array, boundary = 'b') {
  const headers = { apikey: 'k', 'content-type': `multipart/form-data; boundary=${boundary}` };
  const response = await mock.fetch('/api/v1/file', { method: 'POST', headers, body: body as BodyInit });
  return { status: response.status, body: await response.json() };
}

/** Name, size and purpose of the last file. */
function lastFile() {
  const [organisation] = mock.snapshot().organisations;
  const [, file] = organisation!.state.records.files!.at(-1)!;
  return file as { name: string; size: number; purpose: string | null };
}

describe('an upload', () => {
  it.each(ACCEPTED)('of %s is accepted', async (_, body, filename, boundary) => {
    expect(await upload(body, boundary)).toMatchObject({ status: 200 });
    expect(lastFile()).toMatchObject({ name: filename, size: 3 });
  });

  it.each(REFUSED)('with %s is refused', async (_, body, message) => {
    const { status, body: refusal } = await upload(body);
    expect([status, refusal.detail[0].msg]).toEqual([422, expect.stringContaining(message)]);
  });

  it('keeps every byte, and a text in its own charset', async () => {
    const head = part(
      'form-data; name="file_purpose"',
      'Content-Type: text/plain; charset=ISO-8859-1\r\n',
      'ü',
    );
    const file = part('form-data; name="file"; filename="x"', '', '\r\n--a\r\n-\r\n\r\n');
    expect((await upload(Buffer.from(`${head}${file}--b--`, 'latin1'))).status).toBe(200);
    expect(lastFile()).toMatchObject({ size: 12, purpose: 'ü' });
  });

  it('may have a content type in capitals', async () => {
    const headers = { apikey: 'k', 'content-type': 'Multipart/Form-Data; Boundary=b' };
    const body = form('form-data; name="file"; filename="x"');
    await mock.fetch('/api/v1/file', { method: 'POST', headers, body });
    expect(lastFile().name).toBe('x');
    expect(mock.journal().at(-1)!.request.body).toBe(`(${body.length} bytes, multipart)`);
  });
});
