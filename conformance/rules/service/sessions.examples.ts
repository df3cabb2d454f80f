import type { Examples } from '../../../test/support/rules/example.js';
import { missingBefore, undecided, unreadEvent } from '../../../test/support/rules/open.js';
import { at, bad, REFUSED, result, talk } from '../../../test/support/rules/service-talk.js';
import { GOTO } from '../../../test/support/rules/talk.js';

const action = (name: string, payload: unknown) =>
  talk()
    .session()
    .poll(0)
    .send('a', name, payload)
    .poll(0, { events: [result('a', 2000, undefined, name)] });
const refused = (name: string, payload: unknown) =>
  talk().session().send('a', name, payload, REFUSED).poll(0);
/** Payloads of the actions and the names they go under. */
const ACTIONS: Readonly<Record<string, [string, unknown]>> = {
  goto: ['browser_action', GOTO],
  extract: ['browser_action', { name: 'extract', input: { schema: { type: 'object' } } }],
  'evaluate-js': ['browser_action', { name: 'evaluate_js', input: { js: '1' } }],
  'run-task': ['session_action', { name: 'run_task', input: { task: 'Look' } }],
};
const takes: Examples = Object.fromEntries(
  Object.entries(ACTIONS).map(([rule, [name, payload]]) => [
    `sessions/takes-${rule}`,
    {
      good: {
        taken: action(name, payload),
        'closed a moment before': talk().session().close().send('a', name, payload, REFUSED).poll(0),
        'the queue takes none': talk()
          .session({ status: 'waiting' })
          .send('a', name, payload, REFUSED)
          .poll(0),
        'over meanwhile': talk().session().send('a', name, payload, REFUSED).end(0, { status: 'failed' }),
        'not whole': talk().session().event({ id: 'a', name, payload }, REFUSED).poll(0),
      },
      bad: {
        refused: bad(refused(name, payload), /"a" was refused with 422 by a session that is running/, 2, 3),
      },
      open: {
        'a body is not recorded': undecided('refused', unreadEvent(1), /exchange 2 is not recorded/),
      },
    },
  ]),
);

export const examples: Examples = {
  ...takes,
  'sessions/takes-close': {
    good: { taken: talk().session().poll(0).close().end(0) },
    bad: {
      refused: bad(talk().session().close(REFUSED).poll(0), /The close "close" was refused with 422/, 2, 3),
    },
    open: {
      'a body is not recorded': undecided('refused', unreadEvent(1), /exchange 2 is not recorded/),
    },
  },
  'sessions/stays-open': {
    good: {
      'it runs': talk().session().poll(0).poll(0),
      'it was closed': talk().session().close().end(0),
      'it was closed while the poll was under way': closedMeanwhile(),
      'it was idle for long': talk().session().wait(60_000).end(0),
      'it is done with the result of its action': talk()
        .session()
        .send('a1', 'browser_action', GOTO)
        .end(0, { events: [result('a1', 10)] }),
      'it is done once its action has been carried out': talk()
        .session()
        .send('a1', 'browser_action', GOTO)
        .poll(0, { events: [result('a1', 10)] })
        .end(at(10)),
      'it broke': talk().session().end(0, { status: 'failed' }),
      'a one-shot task': talk().create().end(0),
    },
    bad: {
      'it ends by itself': bad(
        talk().session().end(0),
        /is "done" \d+ ms after the client's last request/,
        1,
        2,
      ),
    },
    open: {
      'a body is not recorded': undecided('it ends by itself', unreadEvent(1), /exchange 2 is not recorded/),
      'exchanges are missing': undecided('it ends by itself', missingBefore(2), /exchanges next to 2/),
    },
  },
  'sessions/closes': {
    good: {
      closed: talk().session().close().end(0),
      'it takes a while': talk().session().close().poll(0).poll(0).end(0),
      'by a service that counts it as stopped': talk().session().close().end(0, { status: 'cancelled' }),
    },
    bad: {
      'it goes on': bad(
        talk().session().close().wait(60_000).poll(0),
        /took a close and is "running" 60500 ms later/,
        2,
        3,
      ),
    },
  },
};

/** The close was sent before the answer with the end came. */
function closedMeanwhile() {
  const talked = talk()
    .session()
    .end(0)
    .close({ status: 400, body: { detail: 'It is over.' } });
  const [, poll, close] = talked.exchanges;
  close!.request.at = poll!.request.at + 1;
  return talked;
}
