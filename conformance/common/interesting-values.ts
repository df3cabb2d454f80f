/**
 * Values by kind of field that programs often handle wrongly. The cases of the suite, the generated sequences and the generated
 * conversations draw from them.
 */

/**
 * Texts that services and clients often change: empty and blank ones, texts that resemble another type or need escapes, many scripts. None has an
 * unpaired surrogate, which JSON of other languages cannot represent, or `{{`, which is a placeholder in scenarios.
 */
export const UNUSUAL_TEXTS = [
  '',
  ' ',
  ' leading and trailing ',
  '0',
  '007',
  '0170',
  '1e3',
  '2026-02-28T23:59:59Z',
  'true',
  'false',
  'null',
  'undefined',
  'NaN',
  'None',
  'yes',
  '~',
  '2026-02-30',
  '2026-02-28T23:59:59.999+02:00',
  '{"code":400,"output":"no"}',
  '[1,2]',
  '"quoted"',
  "it's",
  '\\n is no line break',
  'two\nlines',
  'tab\tand\r\nreturn',
  '\u0000\u0001\u001f\u007f',
  '<b>&amp;</b>',
  '100% %20 a+b c%2Fd',
  'two  blanks   and more',
  '# no comment: - nor a list',
  '\u00e9 and e\u0301',
  'stra\u00dfe \u0130\u0131',
  'Ελληνικά кириллица ქართული',
  'שלום مرحبا',
  'हिन्दी ไทย አማርኛ',
  '中文 日本語 한국어',
  '\u{1f600}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u{1f1f3}\u{1f1f4}',
  '\u{10ffff}\u{20000}',
  '\u2028 \u2029 \u0085 \u00a0',
  'a\u200bb\u202ec\ufeffd',
  'https://example.com/a?b=c&d=%C3%A9#f',
  'constructor',
];

/** Those without U+0000, which many stores refuse. */
export const STORABLE_TEXTS = UNUSUAL_TEXTS.filter((text) => !text.includes('\u0000'));

/** Texts of 8 KB and of 64 KB, beyond the BMP. No bounds are stated: a service may refuse such a text, but not change it. */
export const LONG_TEXTS = [8, 64].map((kilobytes) => 'taskdouble \u{1f9ed} '.repeat(kilobytes * 64));

export const BLANK_TEXTS = ['', ' ', '\n', ' x\n'];

/** Doubles that every language parses and prints exactly. Integers stay within 2^53. */
export const NUMBERS = [
  0,
  1,
  -1,
  2,
  200,
  400,
  0.1,
  -0.5,
  1.5,
  0.30000000000000004,
  1e-7,
  1e3,
  1.7976931348623157e308,
  2.2250738585072014e-308,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  1_764_000_000_000,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  123456.789,
];

/** Field names of the protocol, and names that objects in many languages already have. */
export const MEMBER_NAMES = [
  'a',
  'A',
  'a b',
  '',
  '0',
  '1',
  '01',
  'id',
  'r',
  'code',
  'name',
  'input',
  'output',
  'error',
  'detail',
  'status',
  'events',
  'payload',
  'credits_used',
  'page_url',
  'Content-Type',
  'length',
  'constructor',
  '__proto__',
  'größe',
  '名前',
  '\u{1f511}',
  'x.y',
  '$id',
];

/** `__proto__` in a script is no name of a member. */
export const MEMBERS: Readonly<Record<string, number>> = Object.fromEntries(
  MEMBER_NAMES.filter((name) => name !== '__proto__').map((name, at) => [name, at]),
);

/** Empty values, and a list that only looks empty. */
export const EMPTY_VALUES = [null, false, 0, '', [], {}, [[]]] as const;

/** Deeply nested, with lists in lists and members in members. */
export const DEEP_VALUES = [
  [[[[[[[[[[[[1]]]]]]]]]]]],
  { a: { a: { a: { a: { a: { a: [{ a: [null, { a: 0 }] }, 'text'] } } } } } },
] as const;

/** JSON values for an output, an argument or a result. */
export const JSON_VALUES = [
  ...EMPTY_VALUES,
  'text',
  { temp_c: 21 },
  [1, [2, { a: null }]],
  ...DEEP_VALUES,
  { a: 1, ab: 2, 'a b': 3, '': 4, code: 500 },
  [0.1, -1, 1e21, 2 ** 31, Number.MAX_SAFE_INTEGER, '9007199254740993', '007'],
  'e\u0301 \u00e9 \u{1f9ed} \u2028 \u0000\u001f\u007f',
] as const;

/**
 * Ends of a unique text, by kind. A service may refuse such a text; one that it accepts it has to keep unchanged. `unicode` is not
 * normalized and beyond the BMP, `composed` is its normalized form, `path` and `reserved` are escaped in addresses.
 */
export const TEXT_ENDS = {
  unicode: ' e\u0301\u{1f9ed}\u6f22',
  composed: ' \u00e9\u{1f9ed}\u6f22',
  escaped: ` it's \\n <b>&amp;</b> \${x} 0170`,
  blanks: '  x   0170',
  long: `-${'x'.repeat(90)}`,
  reserved: ' A+b%2F&=c',
  path: '/../b;c?d#e',
  capitals: '-Seen By CI',
  member: '.__proto__',
  control: '\u0001\t\u007f.',
} as const;

/** The end of a name or title with characters of many kinds, but for the slash: many servers take none in a path. */
export const NAME_END = [TEXT_ENDS.unicode, TEXT_ENDS.escaped, TEXT_ENDS.reserved].join('');

/** Ends of the local part of an address: characters that a query or a page has to escape. */
export const LOCAL_PART_ENDS = ['+td', "o'neil&co=%2B"] as const;

/** Ends of the id of an event: any unique text is one. */
export const EVENT_ID_ENDS = [
  '',
  '',
  '-Aa',
  '.__proto__',
  ' \u00e9',
  ' e\u0301',
  '\u{1f9ed}',
  '%20',
  '"\'',
  ' 1e3',
] as const;

/** Names of a tool. Which ones a service accepts is not stated; an address has to escape some. */
export const UNUSUAL_TOOL_NAMES = ['Get-Weather', 'getWeather.2', 'Get weather/now', 'W\u00e9ather'] as const;

/** Media types of JSON. Names are compared without regard to case, and the parameter changes nothing. */
export const JSON_MEDIA_TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/json ; charset="utf-8"',
] as const;

/** Parameters of the media type of a part in a form: they change nothing in its bytes. */
export const PART_PARAMETERS = ['; charset=utf-8', ';charset="UTF-8"', '; version=1'] as const;

/** Values of `event_t` before every event of a service, and after. */
export const CURSORS = [
  [1, 2 ** 31 - 1, 2 ** 31, 2 ** 32],
  [99_999_999_999_999, Number.MAX_SAFE_INTEGER],
] as const;

/** Texts that some parsers read as an integer. */
export const INTEGER_TEXTS = ['1e3', '0x10', '+5', '007', ' 5', '-0'] as const;

/** Integers that some languages have no exact number for. */
export const LARGE_INTEGERS = [
  '9007199254740993',
  '-9007199254740993',
  '18446744073709551616',
  '100000000000000000000000000000000000000',
] as const;

/** Schemas of an output: nested, with a reference, with null, with names that begin alike, most of them with an enum. */
export const SCHEMAS = [
  {
    type: 'object',
    properties: { title: { type: 'string' }, count: { type: 'integer' }, kind: { enum: ['page', 'file'] } },
    required: ['title', 'kind'],
  },
  {
    type: 'array',
    items: { $ref: '#/$defs/size' },
    minItems: 2,
    $defs: { size: { type: 'string', enum: ['small', 'large'] } },
  },
  { type: 'integer', minimum: 3 },
  {
    type: 'object',
    properties: {
      page: {
        type: 'object',
        properties: { title: { type: 'string' }, state: { enum: ['open', 'closed'] } },
        required: ['title', 'state'],
      },
    },
    required: ['page'],
  },
  {
    type: 'object',
    properties: {
      a: { type: ['string', 'null'] },
      ab: { enum: [null, 0, ''] },
      'a b': { $ref: '#/$defs/a~1b' },
    },
    required: ['a', 'ab', 'a b'],
    $defs: { 'a/b': { type: 'boolean' } },
  },
] as const;
