import fc from 'fast-check';
import { BOUNDARY, type RequestDraft } from './drafts.js';

/** A defect of a request: its name, and a number that selects the position. */
export interface Breakage {
  name: string;
  n: number;
}

type DraftChange = (draft: RequestDraft, n: number) => void;

const setJsonBody = (draft: RequestDraft, body: string | Uint8Array) => {
  draft.body = body;
  draft.headers['content-type'] ??= 'application/json';
};

const NUMBERS = [
  '-1',
  '0',
  '129',
  '99999999999999999999',
  '1e5',
  '0x10',
  '1.5',
  'NaN',
  '-0',
  '9007199254740991',
  '',
];
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'x',
  [],
  {},
  [[]],
  { a: 1 },
  '\u0000',
  '\udfff',
];
const LONG = 'x'.repeat(20_000);
const BAD_JSON = [
  '{',
  '{"a":1,}',
  "{'a':1}",
  '',
  ' ',
  'undefined',
  'NaN',
  '{"a":01}',
  '{"a":"\u0001"}',
  '"\\ud800',
  '{}{}',
  '\ufeff{}',
  '{"a"',
  '[1,2',
  '\u0000',
];
const ODD_JSON = [
  'null',
  '[]',
  '""',
  '1e999',
  'true',
  '[[{}]]',
  '{"__proto__":{"task":"x"},"task":1}',
  '{"":""}',
];

/** Each changes one part of a request. */
const BREAKAGES: Readonly<Record<string, DraftChange>> = {
  'malformed JSON': (draft, n) => setJsonBody(draft, BAD_JSON[n % BAD_JSON.length]!),
  'JSON of another shape': (draft, n) => setJsonBody(draft, ODD_JSON[n % ODD_JSON.length]!),
  'a body that is cut off': (draft, n) => {
    if (draft.body) draft.body = draft.body.slice(0, n % draft.body.length);
  },
  'invalid UTF-8': (draft) =>
    setJsonBody(draft, Uint8Array.from([0x7b, 0x22, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x22, 0x7d])),
  'deep nesting': (draft, n) => {
    const depth = [65, 1000, 100_000][n % 3]!;
    const [open, close] = n % 2 === 0 ? ['[', ']'] : ['{"a":', '}'];
    setJsonBody(draft, `{"task":null,"payload":{"a":${open.repeat(depth)}1${close.repeat(depth)}}}`);
  },
  'a prototype in the body': (draft) =>
    setJsonBody(
      draft,
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"task":"x","id":"x"}',
    ),
  'a wrong type': (draft, n) => changeBody(draft, n, () => VALUES[n % VALUES.length]),
  'a huge number': (draft) => {
    if (typeof draft.body === 'string')
      draft.body = draft.body.replace(/:(null|true|false|-?\d+|"[^"]*")/, ':1e400');
  },
  'a property too few': (draft, n) => changeBody(draft, n, () => undefined),
  'surplus properties': (draft) => {
    if (typeof draft.body === 'string')
      draft.body = draft.body.replace(/^\{\}?/, '{"surplus":[{}],"toString":1,"x":');
  },
  'a surplus property': (draft) => {
    if (typeof draft.body === 'string') draft.body = draft.body.replace(/^\{(?=")/, '{"surplus":{"a":[1]},');
  },
  'no body': (draft) => {
    draft.body = null;
  },
  'a body where none belongs': (draft) => setJsonBody(draft, LONG),
  'no content type': (draft) => {
    delete draft.headers['content-type'];
  },
  'another content type': (draft, n) => {
    draft.headers['content-type'] = [
      'text/xml',
      'multipart/form-data',
      LONG,
      'multipart/form-data; boundary=""',
    ][n % 4]!;
  },
  'a wrong boundary': (draft) => {
    draft.headers['content-type'] = 'multipart/form-data; boundary=another';
  },
  'a form without its part': (draft) => {
    draft.headers['content-type'] = `multipart/form-data; boundary=${BOUNDARY}`;
    draft.body = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--${BOUNDARY}--\r\n`;
  },
  'a form of many parts': (draft) => {
    draft.headers['content-type'] = `multipart/form-data; boundary=${BOUNDARY}`;
    const part = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="\u0000"\r\n\r\n\r\n`;
    draft.body = `${part.repeat(100)}--${BOUNDARY}--\r\n`;
  },
  'a parameter too few': ({ query }, n) => {
    if (query.length > 0) query.splice(n % query.length, 1);
  },
  'surplus parameters': ({ query }, n) => {
    query.push(['surplus', LONG.slice(0, n)], ['__proto__', '1'], ['', '']);
  },
  'a parameter given twice': ({ query }, n) => {
    const again = query[n % query.length];
    if (again) query.push([again[0], NUMBERS[n % NUMBERS.length]!]);
  },
  'a parameter of another type': ({ query }, n) => {
    const parameter = query[n % query.length];
    if (parameter) parameter[1] = [...NUMBERS, 'truthy', '\u0000', 'null', LONG][n % (NUMBERS.length + 4)]!;
  },
  'a header too few': ({ headers }, n) => {
    const names = Object.keys(headers).filter((name) => name.endsWith('-id'));
    delete headers[names[n % names.length] ?? ''];
  },
  'an odd header': ({ headers }, n) => {
    const names = Object.keys(headers).filter((name) => name.endsWith('-id'));
    headers[names[n % names.length] ?? 'workspace-id'] = ['', '__proto__', LONG, '\u0000', 'ünïcödé', '-1'][
      n % 6
    ]!;
  },
  'an unknown scenario': ({ headers }) => {
    headers['x-taskdouble-scenario'] = '../../constructor';
  },
  'an odd id': ({ segments, operation }, n) => {
    const ids = [
      '__proto__',
      'constructor',
      LONG,
      'x'.repeat(1025),
      '%00',
      '..',
      '%2e%2e%2f',
      '%F0%9F%98%80',
      '%20',
    ];
    const at = operation.segments.findLastIndex((segment) => segment.startsWith('{'));
    if (at !== -1) segments[at] = ids[n % ids.length]!;
  },
  'a broken percent-encoding': ({ segments }, n) => {
    segments[segments.length - 1] = ['%', '%zz', '%E0%A4%A', '%C3%28', 'a%'][n % 5]!;
  },
  'slashes too many': ({ segments }, n) => {
    segments.splice(n % (segments.length + 1), 0, ...Array<string>(1 + (n % 3)).fill(''));
  },
  'an unknown path': ({ segments }, n) => {
    if (n % 3 === 0) segments.push(...Array<string>(1 + (n % 50)).fill('more'));
    else segments[0] = ['__proto__', 'tasks', 'TASK', '.', LONG][n % 5]!;
  },
  'another method': (draft, n) => {
    draft.method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'TRACE', 'BREW'][n % 8]!;
  },
};

export const breakage: fc.Arbitrary<Breakage> = fc.record(
  { name: fc.constantFrom(...Object.keys(BREAKAGES)), n: fc.nat({ max: 5000 }) },
  { noNullPrototype: true },
);

export function breakDraft(draft: RequestDraft, { name, n }: Breakage): void {
  BREAKAGES[name]!(draft, n);
}

/** Replaces the `n`-th value of a JSON body, at any depth; undefined removes it. */
function changeBody(draft: RequestDraft, n: number, change: (value: unknown) => unknown): void {
  if (typeof draft.body !== 'string' || draft.body.length > 10_000) return;
  let left = 1 + (n % Math.max(1, draft.body.split(':').length - 1));
  draft.body = JSON.stringify(JSON.parse(draft.body), (key, value) => {
    if (key === '' || --left !== 0) return value;
    return change(value);
  });
}
