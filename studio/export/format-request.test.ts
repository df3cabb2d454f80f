import { expect, it } from 'vitest';
import { formatFetch, formatPython } from './format-request.js';

const BODY = `{"task":"It's $HOME \\"now\\""}`;
const EXCHANGE = {
  ...{ seq: 1, kind: 'create', organisation: 'org-1' },
  request: {
    method: 'POST',
    url: '/api/v1/task',
    headers: { apikey: '<redacted>', host: 'x', 'content-type': 'application/json' },
    body: BODY,
    at: 0,
  },
};

it('copies a request as code that sends it, with the key from the environment', () => {
  expect(formatFetch(EXCHANGE, 'http://h')).toContain(`body: ${JSON.stringify(BODY)}`);
  expect(formatPython(EXCHANGE, 'http://h')).toContain('os.environ["TASKDOUBLE_API_KEY"]');
  for (const text of [formatFetch(EXCHANGE, 'h'), formatPython(EXCHANGE, 'h')])
    expect(text).not.toContain('redacted');
});

it('uses the key variable of the organisation, or no key if a request without one was refused', () => {
  const { request } = EXCHANGE;
  expect(formatPython({ ...EXCHANGE, organisation: 'free' }, 'http://h')).toContain(
    'TASKDOUBLE_API_KEY_FREE"',
  );
  expect(formatFetch({ ...EXCHANGE, organisation: 'stranger' }, 'http://h')).toContain(
    'apikey: "invalid-key"',
  );
  const refused = {
    ...EXCHANGE,
    request: { ...request, headers: { accept: '*/*' } },
    response: { status: 401, headers: {}, body: '', at: 0 },
  };
  for (const copy of [formatFetch, formatPython]) expect(copy(refused, 'http://h')).not.toContain('apikey');
});
