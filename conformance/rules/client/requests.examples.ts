import type { RuleExamples } from '../../../test/support/rules/example.js';
import { CONFIRMED, ExchangeBuilder, GOTO, START_MS } from '../../../test/support/rules/exchange-builder.js';
import { leaveUndecided, omitHeaders } from '../../../test/support/rules/open.js';

const org = { path: '/org' };
const form = { 'content-type': 'application/x-www-form-urlencoded', apikey: 'key' };
const event = (timestamp: unknown) => ({ id: 'a', name: 'browser_action', payload: GOTO, timestamp });
const uploaded = () =>
  new ExchangeBuilder().addExchange(
    { method: 'POST', path: '/file', body: '(12 bytes of multipart)', headers: { apikey: 'key' } },
    { body: { r: { id: 'f1' } } },
  );
const withFile = () =>
  new ExchangeBuilder().addExchange(
    { method: 'POST', path: '/file', body: '(12 bytes of multipart)', headers: { apikey: 'key' } },
    { body: { r: { id: 'f1' } } },
  );

export const examples: RuleExamples = {
  'auth/key-in-query': {
    good: { 'a key in the header': new ExchangeBuilder().addExchange({ path: '/org?name=api_key' }, {}) },
    bad: {
      'a key in header and query': {
        talk: new ExchangeBuilder()
          .addExchange({ path: '/org?apikey=k' }, {})
          .addExchange({ path: '/org?apikey=k' }, {}),
        says: /query parameter "apikey"/,
        evidence: [1, 2],
      },
    },
  },
  'auth/key-sent': {
    good: {
      'a key in the cookie': new ExchangeBuilder().addExchange(
        { ...org, headers: { cookie: 'a=b; apikey=k' } },
        {},
      ),
      'a cookie that is redacted': new ExchangeBuilder().addExchange(
        { ...org, headers: { Cookie: '<redacted>' } },
        {},
      ),
      'a header in capitals': new ExchangeBuilder().addExchange({ ...org, headers: { ApiKey: 'k' } }, {}),
      'an operation without a key': new ExchangeBuilder().addExchange({ path: '/job/j1', headers: {} }, {}),
      'a path that is none': new ExchangeBuilder().addExchange(
        { path: '/nothing', headers: {} },
        { status: 404 },
      ),
    },
    bad: {
      'no key': {
        talk: new ExchangeBuilder().addExchange(
          { ...org, headers: {} },
          { status: 401, body: { detail: 'no' } },
        ),
        says: /GET \/org requires a key.*no header "apikey"\./,
        evidence: [1],
      },
      'the usual other header': {
        talk: new ExchangeBuilder().addExchange(
          { ...org, headers: { Authorization: '<redacted>' } },
          { status: 401 },
        ),
        says: /has no header "apikey"/,
        evidence: [1],
      },
      'a cookie without it': {
        talk: new ExchangeBuilder().addExchange(
          { ...org, headers: { cookie: 'myapikey=1' } },
          { status: 401 },
        ),
        says: /requires a key/,
        evidence: [1],
      },
    },
    open: {
      'headers are left out': leaveUndecided('no key', omitHeaders, /not all headers/),
    },
  },
  'body/json': {
    good: {
      JSON: new ExchangeBuilder().create(),
      'a body the journal cut': new ExchangeBuilder().addExchange(
        { method: 'POST', path: '/task', body: '{"task": "…', left_out: 9 },
        {},
      ),
      'an upload': uploaded(),
    },
    bad: {
      'a form': {
        talk: new ExchangeBuilder().addExchange(
          { method: 'POST', path: '/task', body: 'task=x', headers: form },
          { status: 422 },
        ),
        says: /begins with "task=x"/,
        evidence: [1],
      },
    },
  },
  'body/content-type-missing': {
    good: { 'a content type': new ExchangeBuilder().create() },
    bad: {
      'no content type': {
        talk: new ExchangeBuilder().addExchange(
          { method: 'POST', path: '/task', body: {}, headers: { apikey: 'k' } },
          {},
        ),
        says: /no content type/,
        evidence: [1],
      },
    },
    open: {
      'headers are left out': leaveUndecided('no content type', omitHeaders, /not all headers/),
    },
  },
  'body/encoding': {
    good: { UTF8: new ExchangeBuilder().create() },
    bad: {
      'a byte order mark': {
        talk: new ExchangeBuilder().addExchange(
          { method: 'POST', path: '/task', body: '\ufeff{"task":"x"}' },
          {},
        ),
        says: /POST \/task begins with a byte order mark/,
        evidence: [1],
      },
    },
  },
  'body/content-type': {
    good: {
      'with a charset': new ExchangeBuilder().addExchange(
        {
          method: 'POST',
          path: '/task',
          body: {},
          headers: { apikey: 'k', 'Content-Type': 'application/json; charset=utf-8' },
        },
        {},
      ),
    },
    bad: {
      'that of a form': {
        talk: new ExchangeBuilder().addExchange(
          { method: 'POST', path: '/task', body: {}, headers: form },
          {},
        ),
        says: /x-www-form-urlencoded/,
        evidence: [1],
      },
    },
  },
  'body/event-payload': {
    good: { 'an object': new ExchangeBuilder().create({ task: null }).sendAction('a') },
    bad: {
      'JSON in JSON': {
        talk: new ExchangeBuilder()
          .create({ task: null })
          .sendAction('a', JSON.stringify(GOTO), { status: 422 }),
        says: /has to be an object, but is "/,
        evidence: [2],
      },
    },
  },
  'body/event-timestamp': {
    good: {
      'ms, null, nothing': new ExchangeBuilder()
        .create({ task: null })
        .sendEvent(event(START_MS))
        .sendEvent({ ...event(null), id: 'b' })
        .sendEvent({ ...event(undefined), id: 'c' }),
    },
    bad: {
      'a text': {
        talk: new ExchangeBuilder().create({ task: null }).sendEvent(event('2026-01-01T00:00:00Z')),
        says: /integer.*"2026-01-01/,
        evidence: [2],
      },
      'a fraction': {
        talk: new ExchangeBuilder().create({ task: null }).sendEvent(event(START_MS + 0.5)),
        says: /integer/,
        evidence: [2],
      },
    },
  },
  'body/event-timestamp-unit': {
    good: { ms: new ExchangeBuilder().create({ task: null }).sendEvent(event(START_MS)) },
    bad: {
      seconds: {
        talk: new ExchangeBuilder().create({ task: null }).sendEvent(event(START_MS / 1000)),
        says: /too small/,
        evidence: [2],
      },
    },
  },
  'ids/uploaded-file': {
    good: {
      'the id in r': withFile().create({ task: 'x', files: ['f1'] }),
      'no files': new ExchangeBuilder().create({ task: 'x', files: null }),
    },
    bad: {
      'an id read beside r, in JavaScript': {
        talk: withFile().create({ task: 'x', files: [undefined] }),
        says: /lists the file null.*"r"/,
        evidence: [2],
      },
      'the same in a template': {
        talk: withFile().create({ task: 'x', files: ['undefined'] }),
        says: /lists the file "undefined"/,
        evidence: [2],
      },
      'the same in Python': {
        talk: withFile().create({ task: 'x', files: ['None'] }),
        says: /lists the file "None"/,
        evidence: [2],
      },
    },
  },
  'ids/no-value': {
    good: {
      'null for what is not set': new ExchangeBuilder().create({ task: 'x', profile_id: null }),
      'a text of any words': new ExchangeBuilder().create({ task: 'null' }),
      'a workspace of that name': new ExchangeBuilder().addExchange(
        { method: 'POST', path: '/workspace/null' },
        CONFIRMED,
      ),
    },
    bad: {
      'in the path': {
        talk: new ExchangeBuilder().addExchange({ path: '/task/undefined?event_t=0' }, { status: 404 }),
        says: /GET \/task\/\{task_id\} has "undefined" for task_id/,
        evidence: [1],
      },
      'in the body': {
        talk: new ExchangeBuilder().create({ task: 'x', profile_id: 'None' }),
        says: /"None" for profile_id/,
        evidence: [1],
      },
    },
  },
};
