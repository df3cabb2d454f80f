import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endAll, run } from '../test/support/cli/command.js';
import { type CountingServer, serve } from '../test/support/cli/null-services.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-conform-mistakes-'));
const target: CountingServer = await serve(() => {});
afterEach(endAll);
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await target.close();
});

const SECRET = 's3cret-and-long';
const file = (name: string, text: string) => {
  writeFileSync(join(directory, name), text);
  return name;
};
mkdirSync(join(directory, 'folder'));
const config = file('wrong.yaml', 'suite: [polling]\nonyl: [x]\n');
const baseline = file('known.yaml', '- { check: x, reason: y }\n');
const url = target.base_url;

/** The arguments after `conform`, and what the one line has to say. */
const MISTAKES: [string[], string | RegExp][] = [
  [[], 'which service? Give its address: npx taskdouble conform http://127.0.0.1:4010 --api-key KEY'],
  [['ftp://x'], 'expected an address such as http://127.0.0.1:4010'],
  [['two words'], 'expected an address such as'],
  [[`http://127.0.0.1:1?apikey=${SECRET}`], 'expected an address without a query or a fragment'],
  [[`http://me:${SECRET}@127.0.0.1:1`], 'without a user name and password'],
  [[url, '--api-key', ''], 'Expected a key or token; is the variable set?'],
  [[url, '--apikey', SECRET], /unknown option '--apikey' \(Did you mean --api-key\?\)/],
  [[url, `--apikey=${SECRET}`], /unknown option '--apikey'/],
  [[url, '--key', `othre=${SECRET}`], '--key: there is no key "othre"; did you mean other?'],
  [[url, '--key', SECRET], '--key: expected NAME=KEY, with NAME one of other, free, exhausted.'],
  [[url, '--key', 'free='], '--key: expected NAME=KEY'],
  [[url, '--suite', 'poling'], 'there is no such suite; did you mean polling?'],
  [[url, '--suite', 'x'], 'there are polling, status-codes, tool-calls'],
  [[url, '--allow', 'everything'], 'there are billing, organisation, destructive.'],
  [[url, '--only', 'pollin/*'], '--only: no check fits "pollin/*"; did you mean "polling/*"?'],
  [[url, '--only', 'POLL-02'], 'no check fits "POLL-02"; did you mean "*#POLL-02"?'],
  [[url, '--only', 'nothing-like-it'], /no check fits "nothing-like-it"; --plan lists all checks/],
  [[url, '--only', 'auth/getUsag'], '--only: no check fits "auth/getUsag"; did you mean "auth/getUsage"?'],
  [[url, '--suite', 'polling', '--only', 'auth/*'], 'no check is left with this --suite, --only'],
  [[url, '--concurrency', '0'], 'Expected a whole number from 1 to 64.'],
  [[url, '--timeout', 'soon'], 'Expected a duration above 0 and up to a day'],
  [[url, '--timeout', '0s'], 'Expected a duration above 0'],
  [[url, '--poll-interval', '-1'], /Expected a duration|argument missing|unknown option/],
  [[url, '--seed', 'x'], 'Expected a whole number'],
  [[url, '--report', 'jsno'], '--report: expected one of pretty, json, junit'],
  [[url, '--report', 'json='], '--report json=: expected a path'],
  [[url, '--report', 'json', '--report', 'tap'], 'json and tap would be mixed on stdout'],
  [[url, '--report', 'json=folder'], '--report json: folder cannot be written: it is a directory'],
  [[url, '--report', 'json=known.yaml/x.json'], 'what stands above it is no directory'],
  [[url, '--dialect-out', 'folder'], '--dialect-out: folder cannot be written: it is a directory'],
  [[url, '--har', 'folder'], '--har: folder cannot be written: it is a directory'],
  [[url, '--baseline', 'gone.yaml'], 'gone.yaml: expected a file or directory, found nothing there'],
  [[url, '--baseline', baseline], 'known.yaml:1:3: expected the key "expires"'],
  [[url, '--config', 'gone.yaml'], 'gone.yaml: expected a file'],
  [[url, '--config', config], 'wrong.yaml:2:1: unknown key "onyl"; did you mean only?'],
  [[url, '--plan', '--report', 'junit'], '--report junit: a plan can be pretty or json.'],
  [[url, 'again'], 'too many arguments'],
  [['--compare', 'a.json'], '--compare: expected two JSON reports or more'],
  [['--compare', 'a.json', 'b.json'], 'a.json: there is no such file or directory'],
  [['--compare', 'known.yaml', 'known.yaml'], 'known.yaml: expected complete JSON'],
  [
    ['--compare', 'a', 'b', '--strict', '--dialect-out', 'x'],
    '--compare makes no run: leave --dialect-out, --strict out.',
  ],
  [[url, '--compare', 'a', 'b'], /--compare makes no run: leave http/],
];

describe('usage errors of conform', () => {
  it.each(MISTAKES)(
    '%j: one line on stderr, exit code 2, nothing sent, no key repeated',
    async (args, said) => {
      const before = target.countRequests();
      const { code, stdout, stderr } = await run(['conform', ...args], {
        cwd: directory,
        env: { TASKDOUBLE_API_KEY: SECRET },
      });
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
      const lines = stderr.trimEnd().split('\n');
      expect(lines, stderr).toHaveLength(1);
      if (typeof said === 'string') expect(lines[0]).toContain(said);
      else expect(lines[0]).toMatch(said);
      expect(stderr).not.toContain(SECRET);
      expect(target.countRequests()).toBe(before);
    },
  );

  it('without a key says where keys come from', async () => {
    const { code, stderr } = await run(['conform', url], { cwd: directory, env: { TASKDOUBLE_API_KEY: '' } });
    expect(code).toBe(2);
    expect(stderr).toContain('no key: give --api-key KEY, or set TASKDOUBLE_API_KEY');
  });
});

describe('the configuration of the directory', () => {
  const home = mkdtempSync(join(tmpdir(), 'taskdouble-conform-config-'));
  afterAll(() => rmSync(home, { recursive: true }));
  const plan = (text: string, ...flags: string[]) => {
    writeFileSync(join(home, 'taskdouble.config.yaml'), text);
    return run(['conform', '--plan', ...flags], { cwd: home });
  };

  it('is used, which is said, and flags take the place of what it says', async () => {
    const used = await plan('suite: [auth]\nlacks: [billing]\n');
    expect(used.code, used.stderr).toBe(0);
    expect(used.stderr).toContain('using taskdouble.config.yaml of this directory');
    expect(used.stdout).toContain('auth/getOrganisation');
    expect(used.stdout).toMatch(/^ {2}without billing +auth\/getUsage/m);
    expect(used.stdout).not.toMatch(/^polling\//m);
    const flagged = await plan('suite: [auth]\n', '--suite', 'polling');
    expect(flagged.stdout).toMatch(/^polling\//m);
    expect(flagged.stdout).not.toMatch(/^auth\//m);
  });

  it('is not used when another is named', async () => {
    writeFileSync(join(home, 'other.yaml'), 'only: [auth/getUsage]\n');
    const { stdout, stderr } = await plan('suite: [nonsense]\n', '--config', 'other.yaml');
    expect(stderr).toBe('');
    expect(stdout).toContain('1 test case,');
  });

  it('is reported by file, line and column if it is invalid', async () => {
    const { code, stderr } = await plan('suite:\n  - poling\n');
    expect(code).toBe(2);
    expect(stderr).toContain('taskdouble.config.yaml:2:5: suite[0]: expected one of polling');
  });
});
