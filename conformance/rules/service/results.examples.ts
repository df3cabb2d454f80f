import type { RuleExamples } from '../../../test/support/rules/example.js';
import { GOTO } from '../../../test/support/rules/exchange-builder.js';
import { insertUnreadEvent, insertUnreadPoll, leaveUndecided } from '../../../test/support/rules/open.js';
import {
  buildExchanges,
  createBadExample,
  createResultEvent,
  REFUSED,
  toTimestamp,
} from '../../../test/support/rules/service-exchange-builder.js';

const sent = () => buildExchanges().createSession().send('a', 'browser_action', GOTO);
const got = (payload: unknown, name?: string) =>
  sent().poll(0, { events: [createResultEvent('a', 2000, payload, name)] });
const two = () => sent().send('b', 'browser_action', GOTO);
const echo = { id: 'a', name: 'browser_action', payload: GOTO, timestamp: toTimestamp(10) };
const _action = (name: string, payload: unknown) =>
  buildExchanges()
    .createSession()
    .poll(0)
    .send('a', name, payload)
    .poll(0, { events: [createResultEvent('a', 2000, undefined, name)] });
/** A terminal status without the result of the close. */
const SILENT = { events: [] };

export const examples: RuleExamples = {
  'results/confirmed': {
    good: {
      confirmed: sent(),
      'under a new id, sent without one': buildExchanges()
        .createSession()
        .send(null, 'browser_action', GOTO, { body: { r: { id: 'b' } } }),
    },
    bad: {
      'another id': createBadExample(
        buildExchanges()
          .createSession()
          .send('a', 'browser_action', GOTO, { body: { r: { id: 'b' } } }),
        /"a" was confirmed with the id "b"/,
        2,
      ),
      'no id': createBadExample(
        buildExchanges()
          .createSession()
          .send('a', 'browser_action', GOTO, { body: { r: true } }),
        /but "r" is true/,
        2,
      ),
      'a number': createBadExample(
        buildExchanges()
          .createSession()
          .send('a', 'browser_action', GOTO, { body: { r: { id: 1 } } }),
        /\{"id":1\}/,
        2,
      ),
    },
  },
  'results/name': {
    good: {
      'that of the action': got({ code: 200, output: null }),
      'the action is shown again': sent().poll(0, { events: [echo, createResultEvent('a', 2000)] }),
      'read before the action was confirmed': early(),
    },
    bad: {
      'another one': createBadExample(
        got({ code: 200, output: null }, 'session_action'),
        /browser_action "a" has the name "session_action"/,
        2,
        3,
      ),
      'that of a tool call': createBadExample(
        got({ code: 200, output: null }, 'tool_call'),
        /has the name "tool_call"/,
        2,
        3,
      ),
    },
  },
  'results/code': {
    good: {
      success: got({ code: 200, output: null }),
      failure: got({ code: 500, output: 'It broke.' }),
      'fields beyond them': got({ code: 200, output: null, name: 'goto', duration: 3 }),
    },
    bad: {
      'another code': createBadExample(
        got({ code: 404, output: 'no' }),
        /"a" has the code 404: it is one of 200, 400, 500/,
        2,
        3,
      ),
      'a text': createBadExample(got({ code: '200', output: null }), /has the code "200"/, 2, 3),
      none: createBadExample(got({ output: null }), /has the code nothing/, 2, 3),
      'no output': createBadExample(got({ code: 200 }), /has no output/, 2, 3),
    },
  },
  'results/error-message': {
    good: {
      'a message': got({ code: 400, output: 'There is no such page.' }),
      'a message in an object': got({ code: 500, output: { output: 'It broke.', duration: 1 } }),
      'a message deep inside': got({
        code: 400,
        output: { errors: [{ code: 7, message: 'No such page.' }] },
      }),
      'nothing under 200': got({ code: 200, output: null }),
    },
    bad: {
      nothing: createBadExample(
        got({ code: 500, output: null }),
        /has the code 500 and the output null/,
        2,
        3,
      ),
      'an empty text': createBadExample(got({ code: 400, output: '' }), /the output ""/, 2, 3),
      'a number': createBadExample(got({ code: 400, output: 7 }), /the output 7/, 2, 3),
      'an empty object': createBadExample(got({ code: 400, output: {} }), /the output \{\}/, 2, 3),
      'an object without a text': createBadExample(
        got({ code: 500, output: { output: null, credits_used: 0, error: '' } }),
        /has the code 500 and the output \{"output":null/,
        2,
        3,
      ),
    },
  },
  'results/of-accepted': {
    good: { accepted: got({ code: 400, output: 'no' }) },
    bad: {
      'refused besides': createBadExample(
        buildExchanges()
          .createSession()
          .send('a', 'session_action', { name: 'nonsense' }, REFUSED)
          .poll(0, { events: [createResultEvent('a', 2000, { code: 400, output: 'no' }, 'session_action')] }),
        /"a" was refused and has a result with code 400 besides/,
        2,
        3,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'refused besides',
        insertUnreadEvent(1),
        /exchange 2 is not recorded/,
      ),
    },
  },
  'results/own-id': {
    good: {
      'that of the action': got({ code: 200, output: null }),
      'an agent at work tells of what it does': buildExchanges()
        .createSession()
        .send('a', 'session_action', { name: 'run_task', input: { task: 'Look' } })
        .send('b', 'browser_action', GOTO)
        .poll(0, { events: [createResultEvent('z', 2000)] }),
      'that of another client, and its own is still to come': sent().poll(0, {
        events: [createResultEvent('z', 2000)],
      }),
      'that of another client, and not all was read': sent()
        .poll(0, { events: [createResultEvent('z', 2000)] })
        .wait(5000)
        .poll(toTimestamp(3000)),
      'news of its own accord': got({ code: 200, output: null }).poll(toTimestamp(2000), {
        events: [createResultEvent('z', 3000)],
      }),
    },
    bad: {
      'one of its own': createBadExample(
        sent()
          .poll(0, { events: [createResultEvent('z', 2000)] })
          .wait(5000)
          .poll(toTimestamp(2000)),
        /"z", which no action has, while the action "a"/,
        2,
        3,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'one of its own',
        insertUnreadEvent(1),
        /exchange 2 is not recorded/,
      ),
      'a response is not recorded': leaveUndecided(
        'one of its own',
        insertUnreadPoll(2),
        /exchange 3 is not recorded/,
      ),
    },
  },
  'results/each': {
    good: {
      'one each': two()
        .poll(0, { events: [createResultEvent('a', 1000), createResultEvent('b', 2000)] })
        .close()
        .complete(toTimestamp(2000)),
      'closed at once': sent().close().complete(0),
      'two under way at once, and closed': two()
        .poll(0, { events: [createResultEvent('b', 2000)] })
        .close()
        .complete(toTimestamp(2000)),
      'not all was read': two()
        .poll(toTimestamp(1500), { events: [createResultEvent('b', 2000)] })
        .close()
        .complete(toTimestamp(2000)),
      stopped: two()
        .poll(0, { events: [createResultEvent('b', 2000)] })
        .stop()
        .complete(toTimestamp(2000), { status: 'cancelled' }),
      'the close is answered a little later': buildExchanges()
        .createSession()
        .close()
        .complete(0, SILENT)
        .complete(0),
      'one of two closes': buildExchanges()
        .createSession()
        .close()
        .send('again', 'session_action', { name: 'close' })
        .complete(0),
      'closed when it was over': buildExchanges().createSession().complete(0).close(),
      'closed after a long silence': buildExchanges()
        .createSession()
        .wait(60_000)
        .close()
        .complete(0, SILENT),
      'closed and stopped': buildExchanges()
        .createSession()
        .close()
        .stop()
        .complete(0, { status: 'cancelled', ...SILENT }),
      'ended a while after a close that waited for an action': sent()
        .close()
        .wait(2000)
        .complete(0, { status: 'cancelled', ...SILENT }),
      'read from the start when its data are deleted': buildExchanges()
        .createSession()
        .close()
        .complete(99_999_999_999_999, SILENT)
        .addExchange({ method: 'DELETE', path: '/task/t1/data' }, { body: { r: true } })
        .complete(0, SILENT),
      'ended by itself at an unknown time': sent().wait(60_000).complete(0, SILENT),
      'closed, and it failed': buildExchanges()
        .createSession()
        .close()
        .complete(0, { status: 'failed', ...SILENT }),
    },
    bad: {
      'passed over': createBadExample(
        two()
          .poll(0, { events: [createResultEvent('b', 2000)] })
          .wait(5000)
          .close()
          .complete(toTimestamp(2000)),
        /"goto" with the id "a" was accepted and never had a result/,
        2,
        6,
      ),
      'a close': createBadExample(
        buildExchanges().createSession().close().complete(0, SILENT),
        /"close" with the id "close" was accepted and never had a result, and the session is done/,
        2,
        3,
      ),
      'a close of a session that was deleted afterwards': createBadExample(
        buildExchanges()
          .createSession()
          .close()
          .complete(0, { status: 'cancelled', ...SILENT })
          .stop(),
        /and the session is cancelled/,
        2,
        3,
      ),
      'a close that waited for an action': createBadExample(
        sent().close().complete(0, SILENT),
        /"close" with the id "close" was accepted and never had a result/,
        3,
        4,
      ),
      'waited for in vain': createBadExample(
        sent().poll(0).wait(60_000).close().complete(0),
        /never had a result/,
        2,
        5,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided('a close', insertUnreadEvent(1), /exchange 2 is not recorded/),
      'a response is not recorded': leaveUndecided(
        'a close',
        insertUnreadPoll(2),
        /exchange 3 is not recorded/,
      ),
    },
  },
};

/** The response to the poll arrives before that to the action. */
function early() {
  const talked = got({ code: 200, output: null });
  const [, action, poll] = talked.exchanges;
  action!.response!.at = poll!.response!.at + 10;
  return talked;
}
