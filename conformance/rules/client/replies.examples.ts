import type { Examples } from '../../../test/support/rules/example.js';
import {
  anotherClient,
  missingBefore,
  undecided,
  unreadEvent,
  unreadPoll,
  unreadResponse,
} from '../../../test/support/rules/open.js';
import { call, START_MS, Talk } from '../../../test/support/rules/talk.js';

const at = (n: number) => START_MS + n;
/** The task has called c1. */
const called = () => new Talk().create().poll(0, { events: [call('c1', 5)] });
const FAILED = { code: 500, output: 'it broke' };
const refused = { status: 422, body: { detail: 'no' } };
const CANCEL = { method: 'DELETE', path: '/task/t1' };
const over = { status: 400, body: { detail: 'over' } };

export const examples: Examples = {
  'replies/call-id': {
    good: {
      'the id of the call': called().reply('c1'),
      'a call read before the exchanges begin': new Talk().poll(at(5)).reply('c1'),
      'a call in an answer that was not kept': new Talk()
        .create()
        .ask({ path: '/task/t1' }, { status: 202, body: '{"r…', left_out: 70_000 })
        .reply('c1'),
    },
    bad: {
      'an id of its own, made of the call': {
        talk: called().reply('evt_response_c1', undefined, { status: 404 }),
        says: /No call of this task has the id "evt_response_c1" of the reply \(open: "c1"\).*no id of its own/,
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
      'a response is not recorded': undecided(
        'an id out of the air',
        unreadPoll(2),
        /exchange 3 is not recorded/,
      ),
      'exchanges are missing': undecided('an id out of the air', missingBefore(3), /exchanges next to 3/),
    },
  },
  'replies/event-name': {
    good: { 'as the call is named': called().reply('c1') },
    bad: {
      'as an action': {
        talk: called().action('c1', { code: 200, output: 1 }, undefined, 'session_action').end(at(5)),
        says: /under the name "session_action"/,
        evidence: [3],
      },
    },
  },
  'replies/complete': {
    good: {
      'null for nothing': called().reply('c1', { code: 200, output: null }),
      'by the deprecated update': called().ask(
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
      'the same after a lost answer': called().reply('c1', undefined, null).reply('c1'),
      'the same, its fields in another order': called()
        .reply('c1', { code: 200, output: { a: 1, b: 2 } }, null)
        .reply('c1', { output: { b: 2, a: 1 }, code: 200 }),
      'a better one after the form was refused': called().reply('c1', FAILED, refused).reply('c1'),
      'two calls': new Talk()
        .create()
        .poll(0, { events: [call('c1', 5), call('c2', 6)] })
        .reply('c2', FAILED)
        .reply('c1'),
    },
    bad: {
      'a failed request told as a failed tool': {
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
      'the first response is not recorded': undecided(
        'the tool ran twice',
        unreadResponse(3),
        /exchange 3 is not recorded/,
      ),
      'another client replies': undecided(
        'a failed request told as a failed tool',
        anotherClient(4),
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
      'tells the refusal as a failure of the tool': {
        talk: called().reply('c1', undefined, over).reply('c1', FAILED, over),
        says: /refused with the status 400 in exchange 3, and another reply follows: code 200, then code 500\. A refusal says nothing/,
        evidence: [3, 4],
      },
    },
    open: {
      'another client replies': undecided(
        'tells the refusal as a failure of the tool',
        anotherClient(4),
        /another client/,
      ),
    },
  },
  'replies/once': {
    good: {
      'after a lost answer': called().reply('c1', undefined, null).reply('c1'),
      'after an answer that cannot be read': called().reply('c1', undefined, { body: '<html>' }).reply('c1'),
      'after an error': called().reply('c1', undefined, { status: 503 }).reply('c1'),
      'an event that was given again later': called()
        .reply('c1')
        .poll(at(5), { events: [call('c1', 9)] })
        .reply('c1'),
    },
    bad: {
      'an event that is listed again': {
        talk: called()
          .reply('c1')
          .poll(at(5), { events: [call('c1', 5)] })
          .reply('c1'),
        says: /replied to in exchange 3, which was confirmed.*handled twice/,
        evidence: [3, 5],
      },
    },
    open: {
      'another client replies': undecided(
        'an event that is listed again',
        anotherClient(5),
        /another client/,
      ),
      'a response is not recorded': undecided(
        'an event that is listed again',
        unreadPoll(3),
        /exchange 4 is not recorded/,
      ),
    },
  },
  'replies/each-call': {
    good: {
      'an attempt that was lost': called().reply('c1', undefined, null).end(at(5)),
      'an attempt after the end': called().end(at(5)).reply('c1', undefined, over),
      'a call that came with the end': new Talk().create().end(0, { events: [call('c1', 5)] }),
      'a task the client stopped': called()
        .ask({ method: 'DELETE', path: '/task/t1' }, {})
        .end(at(5), { status: 'cancelled' }),
      'a task that goes on': called().poll(at(5)),
      'a reply that is on record as an event': called().end(at(5), {
        events: [{ id: 'c1', name: 'tool_call', payload: { code: 200, output: 1 }, timestamp: at(6) }],
      }),
      'a task that began before the exchanges': new Talk().poll(0, { events: [call('c1', 5)] }).end(at(5)),
    },
    bad: {
      silence: {
        talk: called().poll(at(5)).end(at(5), { status: 'failed' }),
        says: /Call "c1" of the tool "get_weather" never got a reply.*"failed".*unknown tool/,
        evidence: [2, 4],
      },
    },
    open: {
      'a body is not recorded': undecided(
        'silence',
        unreadEvent(2),
        /the body of the request in exchange 3 is not recorded as a whole/,
      ),
      'exchanges are missing': undecided('silence', missingBefore(3), /exchanges next to 3/),
      'another client polls': undecided('silence', anotherClient(3), /another client/),
    },
  },
  'replies/after-the-end': {
    good: {
      'a tool at work when the end came': called().end(at(5)).reply('c1', undefined, over),
      'tried again after its answer was lost': called()
        .reply('c1', undefined, null)
        .end(at(5))
        .reply('c1', undefined, over),
    },
    bad: {
      'a call that came with the end': {
        talk: new Talk()
          .create()
          .end(0, { events: [call('c1', 5)] })
          .reply('c1', undefined, over),
        says: /"done" in the response to exchange 2/,
        evidence: [2, 3],
      },
    },
    open: {
      'a response is not recorded': undecided(
        'a call that came with the end',
        unreadPoll(1),
        /exchange 2 is not recorded/,
      ),
    },
  },
  'replies/after-cancel': {
    good: {
      'before the DELETE': called().reply('c1').ask(CANCEL, {}),
      'begun before, and tried again after its response was lost': called()
        .reply('c1', undefined, null)
        .ask(CANCEL, {})
        .reply('c1', undefined, over),
      'the DELETE was refused': called().ask(CANCEL, { status: 403 }).reply('c1'),
      'the DELETE got no response yet': called().ask(CANCEL, null).reply('c1'),
      'at the same time': called().ask(CANCEL, {}).reply('c1', undefined, over),
      'a call that was not seen': new Talk().ask(CANCEL, {}).reply('c1', undefined, over),
    },
    bad: {
      'a call read before the DELETE': {
        talk: called().ask(CANCEL, {}).wait(1).reply('c1', undefined, over),
        says: /reply to call "c1" is sent although the client has stopped the task: its DELETE, exchange 3,/,
        evidence: [3, 4],
      },
      'a call read after it, in a response that was late': {
        talk: new Talk()
          .create()
          .ask(CANCEL, { status: 204 })
          .poll(0, { events: [call('c1', 5)] })
          .reply('c1', undefined, over),
        says: /exchange 2, was confirmed/,
        evidence: [2, 4],
      },
    },
    open: {
      'a body is not recorded': undecided(
        'a call read before the DELETE',
        unreadEvent(2),
        /exchange 3 is not recorded/,
      ),
    },
  },
};

function eachCode(): Talk {
  const talk = new Talk().create().poll(0, { events: [call('c1', 5), call('c2', 6), call('c3', 7)] });
  for (const [n, code] of [200, 400, 500].entries()) talk.reply(`c${n + 1}`, { code, output: 'x' });
  return talk;
}
