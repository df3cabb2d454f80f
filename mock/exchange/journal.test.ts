import { expect, it } from 'vitest';
import type { Exchange } from '../../spec/vocabulary.js';
import { Journal } from './journal.js';
import { JournalEntry } from './journal-entry.js';

const LIMITS = { exchanges: 10, journalCharacters: 1_000, bodyCharacters: 65_536 };

const entry = (journal: Journal) =>
  new JournalEntry(journal.allocateSeq(), 'poll', 'getTask', 'GET', '/api/v1/task/1', {}, 0);

it('shows no key, wherever a client has put it', () => {
  const journal = new Journal('org-1', LIMITS);
  const headers = {
    apikey: 's1',
    cookie: 'apikey=s2',
    'x-api-key': 's3',
    'proxy-authorization': 's4',
    accept: '*',
  };
  const url = '/api/v1/usage?apikey=s5&t=1&api_key=s6';
  journal.open(new JournalEntry(1, 'getUsage', 'getUsage', 'GET', url, headers, 0));
  const [{ request } = expect.fail()] = journal.read();
  expect(JSON.stringify(request)).not.toMatch(/s\d/);
  expect(request).toMatchObject({ headers: { accept: '*' }, url: expect.stringContaining('&t=1&') });
});

it.each<Record<string, string>>([
  { apikey: 'a-long-key' },
  { cookie: 'session=other-secret; apikey=a-long-key' },
  { authorization: 'Bearer a-long-key' },
])('shows no key that stands elsewhere in the exchange too: %o', (key) => {
  const journal = new Journal('org-1', LIMITS);
  const headers = {
    ...key,
    'user-agent': 'sdk (a-long-key)',
    referer: 'http://127.0.0.1/?apikey=of-another&k=a-long-key',
  };
  const each = new JournalEntry(
    1,
    'create',
    'createTask',
    'POST',
    '/api/v1/task?note=a-long-key',
    headers,
    0,
  );
  each.body = '{"task":"use a-long-key","metadata":{"a-long-key":1}}';
  each.note('improvises "a-long-key"');
  journal.open(each);
  journal.close(each, 422, {}, '{"detail":"no field a-long-key"}', 1);
  const [exchange = expect.fail()] = journal.read();
  expect(JSON.stringify(exchange)).not.toMatch(/a-long-key|other-secret|of-another/);
  expect(exchange.request.body).toContain('"task":"use <redacted>","metadata":{"<redacted>":');
});

it('does not redact a short key in texts: it may be a normal word', () => {
  const journal = new Journal('org-1', LIMITS);
  const each = new JournalEntry(1, 'create', 'createTask', 'POST', '/api/v1/task', { apikey: 'demo' }, 0);
  each.body = '{"task":"Show the demo"}';
  journal.open(each);
  expect(journal.read()[0]!.request).toMatchObject({ body: each.body, headers: { apikey: '<redacted>' } });
});

it('shows no password of a proxy or a certificate', () => {
  const journal = new Journal('org-1', LIMITS);
  const each = entry(journal);
  each.body = '{"task":"x","proxy_password":"s1\\"s2","certificates":[{"file":"","password": "s3"}]}';
  journal.open(each);
  const [{ request } = expect.fail()] = journal.read();
  expect(JSON.parse(request.body!)).toEqual({
    task: 'x',
    proxy_password: '<redacted>',
    certificates: [{ file: '', password: '<redacted>' }],
  });
});

it('keeps as much text as allowed, even if exchanges were dropped before their responses', () => {
  const journal = new Journal('org-1', LIMITS);
  const late = Array.from({ length: 50 }, () => entry(journal));
  for (const each of late) journal.open(each);
  for (const each of late) journal.close(each, 200, {}, 'x'.repeat(100), 0);
  for (let n = 0; n < 20; n++) {
    const each = entry(journal);
    journal.open(each);
    journal.close(each, 200, {}, '', 0);
  }
  expect(journal.size).toBe(10);
});

it('creates a lazy note when it is first read, once', () => {
  const seen: Exchange[] = [];
  const journal = new Journal('org-1', LIMITS, (exchange) => seen.push(exchange));
  const each = entry(journal);
  let made = 0;
  each.note('first');
  each.lazyNote = () => `late ${++made}`;
  journal.open(each);
  journal.close(each, 200, {}, '', 0);
  expect(made).toBe(0);
  expect(seen[0]!.notes).toEqual(['first', 'late 1']);
  expect(JSON.parse(JSON.stringify(seen[0])).notes).toEqual(['first', 'late 1']);
  expect(journal.read()[0]!.notes).toEqual(['first', 'late 1']);
});

it('keeps a body up to its limit, and states how much is left out', () => {
  const seen: Exchange[] = [];
  const journal = new Journal('org-1', { ...LIMITS, bodyCharacters: 4 }, (exchange) => seen.push(exchange));
  for (const body of ['1234', '12345']) journal.close(entry(journal), 200, {}, body, 1);
  expect(seen.map(({ response }) => [response!.body, response!.left_out])).toEqual([
    ['1234', undefined],
    ['1234… (1 more characters left out)', 1],
  ]);
});
