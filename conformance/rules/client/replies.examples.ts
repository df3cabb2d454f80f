import type { RuleExamples } from '../../../test/support/rules/example.js';
import { createToolCall, ExchangeBuilder, START_MS } from '../../../test/support/rules/exchange-builder.js';
import {
  changeClient,
  insertUnreadEvent,
  insertUnreadPoll,
  leaveUndecided,
  markMissingBefore,
  omitResponse,
} from '../../../test/support/rules/open.js';

const at = (n: number) => START_MS + n;
const called = () => new ExchangeBuilder().create().poll(0, { events: [createToolCall('c1', 5)] });
const FAILED = { code: 500, output: 'it broke' };
const refused = { status: 422, body: { detail: 'no' } };
const CANCEL = { method: 'DELETE', path: '/task/t1' };
const over = { status: 400, body: { detail: 'over' } };

export const examples: RuleExamples = {
  'replies/call-id': {
    good: {
      'the id of the call': called().reply('c1'),
      'a call read before the exchanges begin': new ExchangeBuilder().poll(at(5)).reply('c1'),
      'a call in a response that was not kept': new ExchangeBuilder()
        .create()
        .addExchange({ path: '/task/t1' }, { status: 202, body: '{"r…', left_out: 70_000 })
        .reply('c1'),
    },
    bad: {
      'an id of its own, made of the call': {
        talk: called().reply('evt_response_c1', undefined, { status: 404 }),
        says: /No call of this task has the id "evt_response_c1" of the reply \(open: "c1"\).*it has no other id/,
        evidence: [3],
      },
      'an id out of the air': {
        talk: called().reply('zz', undefined, { status: 404 }),
        says: /\(open: "c1"\)/,
        evidence: [3],
      },
      'no id': { talk: called().reply(null), says: /has null for its id/, evidence: [3] },
    },
    open: {
      'a response is not recorded': leaveUndecided(
        'an id out of the air',
        insertUnreadPoll(2),
        /exchange 3 is not recorded/,
      ),
      'exchanges are missing': leaveUndecided(
        'an id out of the air',
        markMissingBefore(3),
        /exchanges next to 3/,
      ),
    },
  },
  'replies/event-name': {
    good: { 'as the call is named': called().reply('c1') },
    bad: {
      'as an action': {
        talk: called()
          .sendAction('c1', { code: 200, output: 1 }, undefined, 'session_action')
          .complete(at(5)),
        says: /under the name "session_action"/,
        evidence: [3],
      },
    },
  },
  'replies/complete': {
    good: {
      'null for nothing': called().reply('c1', { code: 200, output: null }),
      'by the deprecated update': called().addExchange(
        { method: 'PUT', path: '/task/t1', body: { tool_response: { id: 'c1', code: 200, output: '1' } } },
        { body: { r: true } },
      ),
    },
    bad: {
      'no output': {
        talk: called().reply('c1', { code: 200 }, refused),
        says: /has no output.*\["code"\].*null/,
        evidence: [3],
      },
      'neither of them': {
        talk: called().reply('c1', { result: 1 }, refused),
        says: /has no code and no output/,
        evidence: [3],
      },
    },
  },
  'replies/code': {
    good: { 'each of the three': eachCode() },
    bad: {
      'another failure': {
        talk: called().reply('c1', { code: 501, output: 'x' }, refused),
        says: /code 501.*500 for any other/,
        evidence: [3],
      },
      'as a text': {
        talk: called().reply('c1', { code: '200', output: 'x' }, refused),
        says: /code "200"\. Send the number/,
        evidence: [3],
      },
    },
  },
  'replies/same-again': {
    good: {
      'the same after a lost response': called().reply('c1', undefined, null).reply('c1'),
      'the same, its fields in another order': called()
        .reply('c1', { code: 200, output: { a: 1, b: 2 } }, null)
        .reply('c1', { output: { b: 2, a: 1 }, code: 200 }),
      'a better one after the form was refused': called().reply('c1', FAILED, refused).reply('c1'),
      'two calls': new ExchangeBuilder()
        .create()
        .poll(0, { events: [createToolCall('c1', 5), createToolCall('c2', 6)] })
        .reply('c2', FAILED)
        .reply('c1'),
    },
    bad: {
      'a failed request reported as a failed tool': {
        talk: called().reply('c1', undefined, { status: 429 }).reply('c1', FAILED),
        says: /code 200, then code 500\. A tool ran once/,
        evidence: [3, 4],
      },
      'the tool ran twice': {
        talk: called().reply('c1', undefined, null).reply('c1', { code: 200, output: 22 }),
        says: /with another output/,
        evidence: [3, 4],
      },
    },
    open: {
      'the first response is not recorded': leaveUndecided(
        'the tool ran twice',
        omitResponse(3),
        /exchange 3 is not recorded/,
      ),
      'another client replies': leaveUndecided(
        'a failed request reported as a failed tool',
        changeClient(4),
        /another client/,
      ),
    },
  },
  'replies/after-refusal': {
    good: {
      'drops it': called().reply('c1', undefined, over).poll(at(5)),
      'the same once more': called().reply('c1', undefined, over).reply('c1', undefined, over),
    },
    bad: {
      'reports the refusal as a failure of the tool': {
        talk: called().reply('c1', undefined, over).reply('c1', FAILED, over),
        says: /refused with the status 400 in exchange 3, and another reply follows: code 200, then code 500\. A refusal says nothing/,
        evidence: [3, 4],
      },
    },
    open: {
      'another client replies': leaveUndecided(
        'reports the refusal as a failure of the tool',
        changeClient(4),
        /another client/,
      ),
    },
  },
  'replies/once': {
    good: {
      'after a lost response': called().reply('c1', undefined, null).reply('c1'),
      'after a response that cannot be read': called().reply('c1', undefined, { body: '<html>' }).reply('c1'),
      'after an error': called().reply('c1', undefined, { status: 503 }).reply('c1'),
      'an event that was given again later': called()
        .reply('c1')
        .poll(at(5), { events: [createToolCall('c1', 9)] })
        .reply('c1'),
    },
    bad: {
      'an event that is listed again': {
        talk: called()
          .reply('c1')
          .poll(at(5), { events: [createToolCall('c1', 5)] })
          .reply('c1'),
        says: /replied to in exchange 3, which was confirmed.*handled twice/,
        evidence: [3, 5],
      },
    },
    open: {
      'another client replies': leaveUndecided(
        'an event that is listed again',
        changeClient(5),
        /another client/,
      ),
      'a response is not recorded': leaveUndecided(
        'an event that is listed again',
        insertUnreadPoll(3),
        /exchange 4 is not recorded/,
      ),
    },
  },
  'replies/each-call': {
    good: {
      'an attempt that was lost': called().reply('c1', undefined, null).complete(at(5)),
      'an attempt after the end': called().complete(at(5)).reply('c1', undefined, over),
      'a call in the response with the end': new ExchangeBuilder()
        .create()
        .complete(0, { events: [createToolCall('c1', 5)] }),
      'a task the client stopped': called()
        .addExchange({ method: 'DELETE', path: '/task/t1' }, {})
        .complete(at(5), { status: 'cancelled' }),
      'a task that goes on': called().poll(at(5)),
      'a reply that is on record as an event': called().complete(at(5), {
        events: [{ id: 'c1', name: 'tool_call', payload: { code: 200, output: 1 }, timestamp: at(6) }],
      }),
      'a task that began before the exchanges': new ExchangeBuilder()
        .poll(0, { events: [createToolCall('c1', 5)] })
        .complete(at(5)),
    },
    bad: {
      silence: {
        talk: called().poll(at(5)).complete(at(5), { status: 'failed' }),
        says: /Call "c1" of the tool "get_weather" never got a reply.*"failed".*unknown tool/,
        evidence: [2, 4],
      },
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'silence',
        insertUnreadEvent(2),
        /the body of the request in exchange 3 is not recorded as a whole/,
      ),
      'exchanges are missing': leaveUndecided('silence', markMissingBefore(3), /exchanges next to 3/),
      'another client polls': leaveUndecided('silence', changeClient(3), /another client/),
    },
  },
  'replies/after-the-end': {
    good: {
      'a tool at work when the end came': called().complete(at(5)).reply('c1', undefined, over),
      'tried again after its response was lost': called()
        .reply('c1', undefined, null)
        .complete(at(5))
        .reply('c1', undefined, over),
    },
    bad: {
      'a call in the response with the end': {
        talk: new ExchangeBuilder()
          .create()
          .complete(0, { events: [createToolCall('c1', 5)] })
          .reply('c1', undefined, over),
        says: /"done" in the response to exchange 2/,
        evidence: [2, 3],
      },
    },
    open: {
      'a response is not recorded': leaveUndecided(
        'a call in the response with the end',
        insertUnreadPoll(1),
        /exchange 2 is not recorded/,
      ),
    },
  },
  'replies/after-cancel': {
    good: {
      'before the DELETE': called().reply('c1').addExchange(CANCEL, {}),
      'begun before, and tried again after its response was lost': called()
        .reply('c1', undefined, null)
        .addExchange(CANCEL, {})
        .reply('c1', undefined, over),
      'the DELETE was refused': called().addExchange(CANCEL, { status: 403 }).reply('c1'),
      'the DELETE got no response yet': called().addExchange(CANCEL, null).reply('c1'),
      'at the same time': called().addExchange(CANCEL, {}).reply('c1', undefined, over),
      'a call that was not seen': new ExchangeBuilder().addExchange(CANCEL, {}).reply('c1', undefined, over),
      'its tool was running when the DELETE was confirmed': called()
        .addExchange(CANCEL, {})
        .wait(1)
        .reply('c1', undefined, over),
    },
    bad: {
      'a call read after it, in a response that was late': {
        talk: new ExchangeBuilder()
          .create()
          .addExchange(CANCEL, { status: 204 })
          .poll(0, { events: [createToolCall('c1', 5)] })
          .reply('c1', undefined, over),
        says: /exchange 2, was confirmed/,
        evidence: [2, 4],
      },
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'a call read after it, in a response that was late',
        insertUnreadEvent(3),
        /exchange 4 is not recorded/,
      ),
    },
  },
};

function eachCode(): ExchangeBuilder {
  const talk = new ExchangeBuilder()
    .create()
    .poll(0, { events: [createToolCall('c1', 5), createToolCall('c2', 6), createToolCall('c3', 7)] });
  for (const [n, code] of [200, 400, 500].entries()) talk.reply(`c${n + 1}`, { code, output: 'x' });
  return talk;
}
