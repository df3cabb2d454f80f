import type { RuleExamples } from '../../../test/support/rules/example.js';
import { leaveUndecided, omitHeaders } from '../../../test/support/rules/open.js';
import {
  buildExchanges,
  createBadExample,
  REFUSED,
  TOOL,
} from '../../../test/support/rules/service-exchange-builder.js';

const OK = { body: { r: true } };
const KEY = { apikey: '<redacted>' };
const visibility = (query: string, response = OK) =>
  buildExchanges().addExchange(
    { method: 'POST', path: `/task/t1/visibility${query}` },
    response as typeof REFUSED,
  );
const posted = (body: unknown, response: typeof REFUSED) =>
  buildExchanges().addExchange({ method: 'POST', path: '/task', body }, response);
const made = { body: { r: { id: 't1', status: 'running', live_url: null } } };
const listed = (l: string, response: typeof REFUSED = { body: { r: [] } }) =>
  buildExchanges().get(`/task?l=${l}`, response);
const { description: _left, ...half } = TOOL;

export const examples: RuleExamples = {
  'requests/validated': {
    good: {
      'a missing parameter is refused': visibility('', REFUSED as typeof OK),
      'another way of refusing it': visibility('?visibility=maybe', {
        status: 400,
        body: { detail: 'no' },
      } as never),
      'a parameter that is there': visibility('?visibility=1'),
      'a lenient reading of a number': buildExchanges().get('/task/t1?event_t=1.0', {
        status: 404,
        body: { detail: 'no' },
      }),
      'no right to ask': buildExchanges().get('/workspace', { status: 401, body: { detail: 'no' } }),
    },
    bad: {
      'a missing parameter': createBadExample(
        visibility(''),
        /got 200 although the required query parameter "visibility" is missing/,
        1,
      ),
      'a missing header': createBadExample(
        buildExchanges().get('/chat', { body: { chats: [] } }),
        /required header "workspace-id" is missing/,
        1,
      ),
      'a word for a boolean': createBadExample(
        visibility('?visibility=maybe'),
        /is "maybe" and has to be a boolean/,
        1,
      ),
      'a word for a number': createBadExample(
        buildExchanges().get('/task?t=abc', { body: { r: [] } }),
        /is "abc" and has to be an integer/,
        1,
      ),
      'malformed JSON': createBadExample(posted('{"task":', made), /although its body is not JSON/, 1),
    },
    open: {
      'headers are left out': leaveUndecided('a missing header', omitHeaders, /not all headers/),
    },
  },
  'requests/event': {
    good: {
      'refused under another name': buildExchanges().send('a', 'page_action', { name: 'goto' }, REFUSED),
      'one of the three': buildExchanges().send('a', 'browser_action', { name: 'goto' }),
      'a task that is not there': buildExchanges().send(
        'a',
        'other',
        {},
        { status: 404, body: { detail: 'no' } },
      ),
    },
    bad: {
      'another name': createBadExample(
        buildExchanges().send('a', 'page_action', {}),
        /the event has the name "page_action"/,
        1,
      ),
      'a payload that is a text': createBadExample(
        buildExchanges().send('a', 'browser_action', 'goto'),
        /the payload of the event is "goto"/,
        1,
      ),
    },
  },
  'requests/tools': {
    good: {
      refused: posted({ task: 'x', custom_tools: [half] }, REFUSED),
      'a whole tool': posted({ task: 'x', custom_tools: [TOOL] }, made),
    },
    bad: {
      'half a tool': createBadExample(
        posted({ task: 'x', custom_tools: [TOOL, half] }, made),
        /a tool has no description/,
        1,
      ),
    },
  },
  'requests/list-limit': {
    good: {
      'from both sides': buildExchanges()
        .get('/task?l=0', REFUSED)
        .get('/task?l=1', { body: { r: [] } })
        .get('/task?l=128', { body: { r: [] } })
        .get('/task?l=129', REFUSED),
      'another way of refusing it': listed('0', { status: 400, body: { detail: 'no' } }),
      'refused for something else': buildExchanges().get('/task?l=5&t=9', REFUSED),
      'a key that is not known, refused with 422': firstByStranger(
        buildExchanges()
          .get('/task?l=1', REFUSED)
          .get('/task?l=1', { body: { r: [] } }),
      ),
    },
    bad: {
      'none at all': createBadExample(listed('0'), /got 200 although l is 0/, 1),
      'too many': createBadExample(listed('129'), /although l is 129/, 1),
      'the most there may be': createBadExample(
        buildExchanges()
          .get('/task', { body: { r: [] } })
          .get('/task?l=128', REFUSED),
        /l=128 was refused with 422/,
        1,
        2,
      ),
      'the least there may be, before another list': createBadExample(
        buildExchanges()
          .get('/task?l=1', REFUSED)
          .get('/task?l=32', { body: { r: [] } }),
        /l=1 was refused with 422/,
        1,
        2,
      ),
    },
  },
  'requests/key': {
    good: {
      refused: buildExchanges()
        .get('/usage', { status: 401, body: { detail: 'no' } }, {})
        .get('/usage', { body: { r: {} } }, KEY),
      'keys are not on record at all': buildExchanges().get('/usage', { body: { r: {} } }, {}),
      'in a cookie': buildExchanges()
        .get('/usage', { body: { r: {} } }, KEY)
        .get('/usage', { body: { r: {} } }, { cookie: '<redacted>' }),
    },
    bad: {
      'none is asked for': createBadExample(
        buildExchanges()
          .get('/usage', { body: { r: {} } }, KEY)
          .get('/usage', { body: { r: {} } }, {}),
        /GET \/usage requires a key and got 200 without one/,
        2,
      ),
    },
    open: {
      'headers are left out': leaveUndecided('none is asked for', omitHeaders, /not all headers/),
    },
  },
  'requests/no-key': {
    good: {
      'none is asked for': buildExchanges().get('/job/j1', { body: {} }, {}),
      'not there': buildExchanges().get('/job/j1', { status: 404, body: { detail: 'no' } }, {}),
      'a webhook with a secret of its own': buildExchanges().addExchange(
        { method: 'POST', path: '/webhook', headers: {}, body: {} },
        { status: 403, body: { detail: 'no' } },
      ),
    },
    bad: {
      'one is asked for': createBadExample(
        buildExchanges().get('/job/j1', { status: 401, body: { detail: 'no' } }, {}),
        /GET \/job\/\{job_id\} was refused with 401/,
        1,
      ),
    },
    open: {
      'headers are left out': leaveUndecided('one is asked for', omitHeaders, /not all headers/),
    },
  },
};

function firstByStranger(talked: ReturnType<typeof buildExchanges>): ReturnType<typeof buildExchanges> {
  talked.exchanges[0]!.organisation = 'stranger';
  return talked;
}
