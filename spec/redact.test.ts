import { describe, expect, it } from 'vitest';
import { redactBody, redactExchange, redactSecrets, redactUrl } from './redact.js';
import type { Exchange } from './vocabulary.js';

describe('redactBody', () => {
  it.each([
    ['{"proxy_password":"s1\\"s2","n": 1.0}', '{"proxy_password":"<redacted>","n": 1.0}'],
    ['{"apiKey" : "s1", "accessToken":"s2"}', '{"apiKey" : "<redacted>", "accessToken":"<redacted>"}'],
    ['{"\\u0070assword":"s1"}', '{"\\u0070assword":"<redacted>"}'],
    [
      '{"password":["s1"],"server":"http://u:s2@p.example"}',
      '{"password":["<redacted>"],"server":"http://u:<redacted>@p.example"}',
    ],
    ['{"password": 123456}', '{"password": "<redacted>"}'],
    ['{"password":"s1 cut of', '{"password":"<redacted>"'],
    [
      '{"secrets":{"bank":{"value":"s1","allowed_urls":["s2"]}},"task":"x"}',
      '{"secrets":{"bank":{"value":"<redacted>","allowed_urls":["<redacted>"]}},"task":"x"}',
    ],
    [
      '{"cookies":["s1"],"certificates":[{"file":"","password":"s2"}]}',
      '{"cookies":["<redacted>"],"certificates":[{"file":"","password":"<redacted>"}]}',
    ],
    [
      '{"live_url":"https://l.example/?token=s1&x=1","note":"password"}',
      '{"live_url":"https://l.example/?token=<redacted>&x=1","note":"password"}',
    ],
    ['{"output":"{\\"password\\":\\"s1\\"}"}', '{"output":"{\\"password\\":\\"<redacted>\\"}"}'],
    ['user=a&password=s1&b=2', 'user=a&password=<redacted>&b=2'],
    ['["token"] Bearer s1s1s1s1', '["token"] Bearer s1s1s1s1'],
  ])('%s', (body, shown) => {
    expect(redactBody(body)).toBe(shown);
  });

  it.each([
    '{"task":"x"}',
    '{"tokens_used":4,"secret":null,"password":""}',
    '{"custom_tools":[{"name":"login","inputs":{"type":"object","properties":{"password":{"type":"string"}}}}]}',
    '{"custom_tools":[{"inputs":{"token":"string"}}],"token":null}',
    '<html>cookie</html>',
  ])('leaves %s as it is', (body) => {
    expect(redactBody(body)).toBe(body);
  });
});

it('hides what an address carries', () => {
  expect(redactUrl('/api/v1/usage?apikey=s5&t=1&api_key=s6')).toBe(
    '/api/v1/usage?apikey=<redacted>&t=1&api_key=<redacted>',
  );
});

it('replaces given secrets in every spelling; short ones only where they stand alone', () => {
  expect(redactSecrets('k"1-long-key k%221-long-key k\\"1-long-key', ['k"1-long-key'])).toBe(
    '<redacted> <redacted> <redacted>',
  );
  expect(redactSecrets('key=abc, abcd, "abc"', ['abc', ''])).toBe('key=<redacted>, abcd, "<redacted>"');
});

it('redacts an exchange everywhere, and no further the second time', () => {
  const exchange: Exchange = {
    seq: 1,
    kind: 'createTask',
    organisation: 'main',
    request: {
      method: 'POST',
      url: '/api/v1/task?key=S1',
      headers: { Apikey: 'S2', cookie: 'apikey=<redacted>', 'x-note': 'a-known-secret' },
      body: '{"password":"S3"}',
      at: 0,
    },
    response: {
      status: 200,
      headers: { 'set-cookie': 'S4', location: 'https://u:S5@x.example/' },
      body: '{"r":{"echo":"a-known-secret","webhook_token":"S6"}}',
      at: 1,
    },
    notes: ['a-known-secret'],
  };
  const once = redactExchange(exchange, ['a-known-secret']);
  expect(JSON.stringify(once)).not.toMatch(/S\d|a-known/);
  expect(redactExchange(once, ['a-known-secret'])).toEqual(once);
  expect(exchange.request.headers.Apikey).toBe('S2');
});
