import { describe, expect, it } from 'vitest';
import { loadBaseline } from '../../conformance/report/baseline.js';
import { removeEntries } from '../../conformance/report/baseline-file.js';
import { DEEPEST_YAML, LARGEST_FILE_BYTES, Source } from '../../scenarios/format/load/source.js';
import { HostileClient } from '../support/mock/hostile-client.js';
import { sendRaw } from '../support/mock/raw-http.js';

const client = new HostileClient().install();

/** A text of 1 MiB at most: `head`, and as many of these as fit. */
function fill(repeated: string, head = ''): string {
  return head + repeated.repeat(Math.floor((LARGEST_FILE_BYTES - head.length) / repeated.length));
}

function lines(line: (n: number) => string, count: number): string {
  return Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('');
}

const LEVELS = /at most 100 levels of nesting/;
const VALUES = /expected fewer values; split the file/;
const BOUND = /at most 100 levels|fewer values/;
const INVALID = /not valid YAML/;
const ALIASES = /at most 100 uses of aliases/;

/** Aborted the process inside V8, or took seconds up to minutes. */
const REFUSED: readonly [name: string, text: string, problem: RegExp][] = [
  ['2,000 dashes', '- '.repeat(2000), LEVELS],
  ['1 MiB of dashes', fill('- '), BOUND],
  ['a dash and a line end', fill('-\n'), VALUES],
  ['1 MiB of question marks', fill('? '), BOUND],
  ['1 MiB of keys on a line', fill('a: '), BOUND],
  ['keys of sequences', fill('- a: '), VALUES],
  ['2,000 brackets', '['.repeat(2000), LEVELS],
  ['1 MiB of brackets', fill('['), BOUND],
  ['brackets that close', '['.repeat(1000) + ']'.repeat(1000), LEVELS],
  ['1 MiB of {"a":', fill('{"a":'), BOUND],
  ['1 MiB of closing brackets', fill(']'), BOUND],
  ['a step deeper on each line', lines((n) => `${' '.repeat(n)}a:`, 1400), LEVELS],
  [
    'brackets after blocks',
    `${lines((n) => `${' '.repeat(n)}a:`, 60)}${' '.repeat(60)}${'['.repeat(60)}`,
    LEVELS,
  ],
  ['tags', fill('!!a '), VALUES],
  ['anchors', fill('&a '), VALUES],
  ['tags on lines', fill('!a\n'), VALUES],
  ['commas', fill('1,', '['), VALUES],
  ['question marks in brackets', fill('? ', '['), VALUES],
  ['colons on lines', fill(':\n'), VALUES],
  ['blank lines', fill('\n'), VALUES],
  ['comments', fill('#\n'), VALUES],
  ['a key again and again', fill('k: 1\n', 'a: 1\n').slice(0, 20_000), INVALID],
  ['documents', fill('---\n'), BOUND],
  ['directives', '%YAML 1.2\n'.repeat(5000), INVALID],
  ['a tab on each line', fill('\ta: [\n').slice(0, 10_000), INVALID],
  ['101 aliases', `- &a 1\n${'- *a\n'.repeat(101)}`, ALIASES],
  ['aliases of anchors of their own', lines((n) => `- &a${n} 1\n- *a${n}`, 20_000), ALIASES],
  ['aliases of aliases', `- &a0 1\n${lines((n) => `- &a${n + 1} [*a${n}, *a${n}, *a${n}]`, 20)}`, ALIASES],
  ['a value in itself', '&a [*a]', LEVELS],
  ['a value in itself, twice', '&a {x: *a, y: [*a]}', LEVELS],
  ['an alias of nothing', '- *a', /below the value that has its anchor/],
  [
    'levels by aliases',
    lines((n) => `- &a${n} ${'['.repeat(80)}${n ? `*a${n - 1}` : ''}${']'.repeat(80)}`, 10),
    LEVELS,
  ],
];

/** Each bound once is enough for what reads through the same function. */
const QUICK = REFUSED.filter(([name, , problem]) => problem !== VALUES || name === 'anchors');

const BRACKETS = '[{('.repeat(500);
/** Are read: many brackets, and no nesting. */
const READ: readonly [name: string, text: string, value?: unknown][] = [
  ['brackets in double quotes', `a: "${BRACKETS}"`, { a: BRACKETS }],
  ['brackets in single quotes', `a: '${BRACKETS}'`, { a: BRACKETS }],
  ['brackets in a block', `a: |\n  ${BRACKETS}\n  *a - - -\n`, { a: `${BRACKETS}\n*a - - -\n` }],
  ['brackets in a comment', `a: 1 # ${BRACKETS}`, { a: 1 }],
  ['brackets in a plain text', `a: x${BRACKETS}`, { a: `x${BRACKETS}` }],
  ['asterisks in texts', `- |\n${'  *a\n'.repeat(200)}`],
  ['90 levels', '['.repeat(90) + ']'.repeat(90)],
  ['a line of 1 MiB', fill('a')],
  ['a quoted line of 1 MiB', `"${fill('\\n').slice(2)}"`],
  ['20,000 keys', lines((n) => `k${n}: 1`, 20_000)],
];

const read = (text: string) => Source.read(text, 'x.yaml');

describe('YAML', () => {
  it.each(REFUSED)('of %s is refused, at its line and column', (_, text, problem) => {
    const { source, problems } = read(text);
    expect(source).toBeUndefined();
    expect(problems[0]!.message).toMatch(problem);
    expect(problems[0]).toMatchObject({
      file: 'x.yaml',
      line: expect.any(Number),
      column: expect.any(Number),
    });
    for (const { message } of problems) expect(message).toMatch(/^.{1,250}$/);
  });

  it.each(READ)('of %s is read', (_, text, value) => {
    const { source, problems } = read(text);
    expect(problems).toEqual([]);
    if (value !== undefined) expect(source!.value).toEqual(value);
  });

  it('is refused at the level that is too deep', () => {
    const [problem] = read(`a:\n  b: ${'['.repeat(DEEPEST_YAML)}`).problems;
    expect(problem).toMatchObject({ line: 2, column: expect.any(Number) });
    expect(problem!.column).toBeGreaterThan(DEEPEST_YAML - 10);
  });

  it.each(QUICK)('of %s is refused in a baseline', (_, text, problem) => {
    expect(loadBaseline(text, 'x.yaml').problems[0]!.message).toMatch(problem);
  });

  it('of a baseline is bounded where entries are removed too', () => {
    const baseline = { file: 'x.yaml', entries: [] };
    expect(() => removeEntries('['.repeat(2000), baseline, [])).toThrow(LEVELS);
  });
});

describe('an admin route', () => {
  const send = (method: string, path: string, body: string) =>
    sendRaw(client.port, {
      method,
      path: `/__admin${path}`,
      body,
      headers: { host: 'localhost', apikey: 'hostile' },
    });

  it.each(QUICK)('refuses %s', async (_, text) => {
    for (const [method, path] of [
      ['PUT', '/network'],
      ['POST', '/scenarios'],
    ] as const) {
      const { status, body } = await send(method, path, text);
      // A body that begins as JSON is read as JSON by one of them.
      expect(status, path).toBeOneOf(path === '/network' ? [422] : [400, 422]);
      expect((body as { detail: string }).detail, path).toMatch(/^[^\n]{10,}/);
    }
  });

  it('refuses JSON of 100,000 levels', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const [method, path] of [
      ['PUT', '/network'],
      ['POST', '/scenarios'],
      ['POST', '/scenarios/next'],
      ['PUT', '/state'],
      ['POST', '/clock/advance'],
    ] as const)
      expect((await send(method, path, `{"name":${deep}}`)).status, path).toBeOneOf([404, 422]);
  });
});
