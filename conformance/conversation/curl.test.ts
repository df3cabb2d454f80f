import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createExchange, createMixedReport, HOSTILE } from '../../test/support/report/reports.js';
import { formatCurl } from './curl.js';

describe('a curl line', () => {
  /** The arguments after parsing by a shell, with a curl that prints them. */
  function argumentsOf(line: string): string[] {
    const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
    return execFileSync('bash', ['-c', script], { env: { ...process.env, TASKDOUBLE_API_KEY: 'k3y' } })
      .toString()
      .split('\0')
      .slice(0, -1);
  }

  it('sends the same request, with the key of the user', () => {
    const [created, , , , stranger] = createMixedReport().exchanges;
    expect(argumentsOf(formatCurl(created!, 'http://h/'))).toEqual([
      ...['-sS', '-i', 'http://h/api/v1/task', '-H', 'apikey: k3y', '-H', 'content-type: application/json'],
      ...['--data-raw', created!.request.body],
    ]);
    expect(argumentsOf(formatCurl(stranger!, 'http://h'))).toContain('cookie: apikey=invalid-key');
    const gone = createExchange({ method: 'DELETE', headers: { apikey: '<redacted>' } });
    expect(argumentsOf(formatCurl(gone, 'http://h'))).toEqual(expect.arrayContaining(['-X', 'DELETE']));
  });

  it.each([
    Buffer.from(HOSTILE.replaceAll('\0', '')).toString(),
    '$(echo pwned)`id`',
    "it's",
    '\u001b[2J',
    '@/etc/passwd',
    '',
  ])('runs nothing of %j', (text) => {
    const hostile = createExchange({
      method: 'POST',
      url: `/api/v1/${text.slice(0, 50)}`,
      headers: { 'x-a': text },
      body: text,
    });
    const line = formatCurl(hostile, 'http://h');
    expect(/(?![\t\n])\p{Cc}|\p{Bidi_Control}/u.exec(line)).toBeNull();
    const given = argumentsOf(line);
    expect(given).toContain(`x-a: ${text}`);
    expect(given.at(-1)).toBe(text);
  });

  it('takes the variable of the key that was sent, and no key out of a recording', () => {
    const free = createExchange({ headers: { apikey: '<redacted>' } }, undefined, { organisation: 'free' });
    expect(formatCurl(free, 'http://h')).toContain('"apikey: $TASKDOUBLE_API_KEY_FREE"');
    const foreign = createExchange({
      headers: { Authorization: 'Bearer s3cret', ':authority': 'h', origin: 'http://x' },
    });
    expect(argumentsOf(formatCurl(foreign, 'http://h')).slice(3)).toEqual(['-H', 'Authorization: k3y']);
    expect(formatCurl(createExchange({ headers: {} }, { status: 401 }), 'http://h')).not.toContain('-H');
  });

  it('names what it leaves out', () => {
    const upload = createExchange({ method: 'POST', headers: {}, body: '(multipart: file: a.txt, 3 bytes)' });
    expect(formatCurl(upload, 'http://h')).toMatch(/ -X POST .* # and \(multipart: file: a\.txt, 3 bytes\)$/);
    const large = createExchange({ method: 'POST', headers: {}, body: 'x'.repeat(5000) });
    expect(formatCurl(large, 'http://h')).toMatch(/ --data-binary @body # the 5000 characters of the body$/);
    expect(argumentsOf(formatCurl(large, 'http://h', 5000)).at(-1)).toBe(large.request.body);
    const cut = createExchange({ method: 'POST', headers: {}, body: 'x…', left_out: 9 });
    expect(formatCurl(cut, 'http://h')).toMatch(
      / --data-binary @body # 9 characters of the body are not recorded here$/,
    );
  });
});
