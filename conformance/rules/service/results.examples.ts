import type { Examples } from '../../../test/support/rules/example.js';
import { undecided, unreadEvent, unreadPoll } from '../../../test/support/rules/open.js';
import { at, bad, REFUSED, result, talk } from '../../../test/support/rules/service-talk.js';
import { GOTO } from '../../../test/support/rules/talk.js';

const sent = () => talk().session().send('a', 'browser_action', GOTO);
const got = (payload: unknown, name?: string) =>
  sent().poll(0, { events: [result('a', 2000, payload, name)] });
const two = () => sent().send('b', 'browser_action', GOTO);
const echo = { id: 'a', name: 'browser_action', payload: GOTO, timestamp: at(10) };
const _action = (name: string, payload: unknown) =>
  talk()
    .session()
    .poll(0)
    .send('a', name, payload)
    .poll(0, { events: [result('a', 2000, undefined, name)] });
/** An end without the result of the close. */
const SILENT = { events: [] };

export const examples: Examples = {
  'results/confirmed': {
    good: {
      confirmed: sent(),
      'under a new id, sent without one': talk()
        .session()
        .send(null, 'browser_action', GOTO, { body: { r: { id: 'b' } } }),
    },
    bad: {
      'another id': bad(
        talk()
          .session()
          .send('a', 'browser_action', GOTO, { body: { r: { id: 'b' } } }),
        /"a" was confirmed with the id "b"/,
        2,
      ),
      'no id': bad(
        talk()
          .session()
          .send('a', 'browser_action', GOTO, { body: { r: true } }),
        /and true came in "r"/,
        2,
      ),
      'a number': bad(
        talk()
          .session()
          .send('a', 'browser_action', GOTO, { body: { r: { id: 1 } } }),
        /\{"id":1\}/,
        2,
      ),
    },
  },
  'results/name': {
    good: {
      'that of the action': got({ code: 200, output: null }),
      'the action is shown again': sent().poll(0, { events: [echo, result('a', 2000)] }),
      'read before the action was confirmed': early(),
    },
    bad: {
      'another one': bad(
        got({ code: 200, output: null }, 'session_action'),
        /browser_action "a" has the name "session_action"/,
        2,
        3,
      ),
      'that of a tool call': bad(
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
      'another code': bad(
        got({ code: 404, output: 'no' }),
        /"a" has the code 404: it is one of 200, 400, 500/,
        2,
        3,
      ),
      'a text': bad(got({ code: '200', output: null }), /has the code "200"/, 2, 3),
      none: bad(got({ output: null }), /has the code nothing/, 2, 3),
      'no output': bad(got({ code: 200 }), /has no output/, 2, 3),
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
      nothing: bad(got({ code: 500, output: null }), /has the code 500 and the output null/, 2, 3),
      'an empty text': bad(got({ code: 400, output: '' }), /the output ""/, 2, 3),
      'a number': bad(got({ code: 400, output: 7 }), /the output 7/, 2, 3),
      'an empty object': bad(got({ code: 400, output: {} }), /the output \{\}/, 2, 3),
      'an object without a text': bad(
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
      'refused besides': bad(
        talk()
          .session()
          .send('a', 'session_action', { name: 'nonsense' }, REFUSED)
          .poll(0, { events: [result('a', 2000, { code: 400, output: 'no' }, 'session_action')] }),
        /"a" was refused and has a result with code 400 besides/,
        2,
        3,
      ),
    },
    open: {
      'a body is not recorded': undecided('refused besides', unreadEvent(1), /exchange 2 is not recorded/),
    },
  },
  'results/own-id': {
    good: {
      'that of the action': got({ code: 200, output: null }),
      'an agent at work tells of what it does': talk()
        .session()
        .send('a', 'session_action', { name: 'run_task', input: { task: 'Look' } })
        .send('b', 'browser_action', GOTO)
        .poll(0, { events: [result('z', 2000)] }),
      'that of another client, and its own is still to come': sent().poll(0, { events: [result('z', 2000)] }),
      'that of another client, and not all was read': sent()
        .poll(0, { events: [result('z', 2000)] })
        .wait(5000)
        .poll(at(3000)),
      'news of its own accord': got({ code: 200, output: null }).poll(at(2000), {
        events: [result('z', 3000)],
      }),
    },
    bad: {
      'one of its own': bad(
        sent()
          .poll(0, { events: [result('z', 2000)] })
          .wait(5000)
          .poll(at(2000)),
        /"z" came, which no action has, while the action "a"/,
        2,
        3,
      ),
    },
    open: {
      'a body is not recorded': undecided('one of its own', unreadEvent(1), /exchange 2 is not recorded/),
      'a response is not recorded': undecided('one of its own', unreadPoll(2), /exchange 3 is not recorded/),
    },
  },
  'results/each': {
    good: {
      'one each': two()
        .poll(0, { events: [result('a', 1000), result('b', 2000)] })
        .close()
        .end(at(2000)),
      'closed at once': sent().close().end(0),
      'two under way at once, and closed': two()
        .poll(0, { events: [result('b', 2000)] })
        .close()
        .end(at(2000)),
      'not all was read': two()
        .poll(at(1500), { events: [result('b', 2000)] })
        .close()
        .end(at(2000)),
      stopped: two()
        .poll(0, { events: [result('b', 2000)] })
        .stop()
        .end(at(2000), { status: 'cancelled' }),
      'the close is answered a little later': talk().session().close().end(0, SILENT).end(0),
      'one of two closes': talk().session().close().send('again', 'session_action', { name: 'close' }).end(0),
      'closed when it was over': talk().session().end(0).close(),
      'closed after a long silence': talk().session().wait(60_000).close().end(0, SILENT),
      'closed and stopped': talk()
        .session()
        .close()
        .stop()
        .end(0, { status: 'cancelled', ...SILENT }),
      'closed, and it failed': talk()
        .session()
        .close()
        .end(0, { status: 'failed', ...SILENT }),
    },
    bad: {
      'passed over': bad(
        two()
          .poll(0, { events: [result('b', 2000)] })
          .wait(5000)
          .close()
          .end(at(2000)),
        /"goto" with the id "a" was accepted and never had a result/,
        2,
        6,
      ),
      'a close': bad(
        talk().session().close().end(0, SILENT),
        /"close" with the id "close" was accepted and never had a result, and the session is done/,
        2,
        3,
      ),
      'a close of a session that was deleted afterwards': bad(
        talk()
          .session()
          .close()
          .end(0, { status: 'cancelled', ...SILENT })
          .stop(),
        /and the session is cancelled/,
        2,
        3,
      ),
      'waited for in vain': bad(sent().poll(0).wait(60_000).close().end(0), /never had a result/, 2, 5),
    },
    open: {
      'a body is not recorded': undecided('a close', unreadEvent(1), /exchange 2 is not recorded/),
      'a response is not recorded': undecided('a close', unreadPoll(2), /exchange 3 is not recorded/),
    },
  },
};

/** The poll has its answer before the request that sent the action has. */
function early() {
  const talked = got({ code: 200, output: null });
  const [, action, poll] = talked.exchanges;
  action!.response!.at = poll!.response!.at + 10;
  return talked;
}
