import type { RuleExamples } from '../../../test/support/rules/example.js';
import { GOTO } from '../../../test/support/rules/exchange-builder.js';
import { insertUnreadEvent, leaveUndecided, markMissingBefore } from '../../../test/support/rules/open.js';
import {
  buildExchanges,
  createBadExample,
  createResultEvent,
  REFUSED,
  toTimestamp,
} from '../../../test/support/rules/service-exchange-builder.js';

const action = (name: string, payload: unknown) =>
  buildExchanges()
    .createSession()
    .poll(0)
    .send('a', name, payload)
    .poll(0, { events: [createResultEvent('a', 2000, undefined, name)] });
const refused = (name: string, payload: unknown) =>
  buildExchanges().createSession().send('a', name, payload, REFUSED).poll(0);
/** Payloads of the actions, with their event names. */
const ACTIONS: Readonly<Record<string, [string, unknown]>> = {
  goto: ['browser_action', GOTO],
  extract: ['browser_action', { name: 'extract', input: { schema: { type: 'object' } } }],
  'evaluate-js': ['browser_action', { name: 'evaluate_js', input: { js: '1' } }],
  'run-task': ['session_action', { name: 'run_task', input: { task: 'Look' } }],
};
const takes: RuleExamples = Object.fromEntries(
  Object.entries(ACTIONS).map(([rule, [name, payload]]) => [
    `sessions/takes-${rule}`,
    {
      good: {
        taken: action(name, payload),
        'closed a moment before': buildExchanges()
          .createSession()
          .close()
          .send('a', name, payload, REFUSED)
          .poll(0),
        'closed beside it': closedBeside(name, payload),
        'the queue takes none': buildExchanges()
          .createSession({ status: 'waiting' })
          .send('a', name, payload, REFUSED)
          .poll(0),
        'over meanwhile': buildExchanges()
          .createSession()
          .send('a', name, payload, REFUSED)
          .complete(0, { status: 'failed' }),
        'not whole': buildExchanges().createSession().sendEvent({ id: 'a', name, payload }, REFUSED).poll(0),
        'sent twice, and taken once': buildExchanges()
          .createSession()
          .send('a', name, payload, REFUSED)
          .send('a', name, payload)
          .poll(0),
        'one of two is taken, and its response comes after a poll': buildExchanges()
          .createSession()
          .send('a', name, payload, REFUSED)
          .poll(0)
          .send('a', name, payload),
      },
      bad: {
        refused: createBadExample(
          refused(name, payload),
          /"a" was refused with 422 by a session that is running/,
          2,
          3,
        ),
      },
      open: {
        'a body is not recorded': leaveUndecided(
          'refused',
          insertUnreadEvent(1),
          /exchange 2 is not recorded/,
        ),
      },
    },
  ]),
);

export const examples: RuleExamples = {
  ...takes,
  'sessions/takes-close': {
    good: { taken: buildExchanges().createSession().poll(0).close().complete(0) },
    bad: {
      refused: createBadExample(
        buildExchanges().createSession().close(REFUSED).poll(0),
        /The close "close" was refused with 422/,
        2,
        3,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided('refused', insertUnreadEvent(1), /exchange 2 is not recorded/),
    },
  },
  'sessions/stays-open': {
    good: {
      'it runs': buildExchanges().createSession().poll(0).poll(0),
      'it was closed': buildExchanges().createSession().close().complete(0),
      'it was closed while the poll was under way': closedMeanwhile(),
      'it was idle for long': buildExchanges().createSession().wait(60_000).complete(0),
      'it is done with the result of its action': buildExchanges()
        .createSession()
        .send('a1', 'browser_action', GOTO)
        .complete(0, { events: [createResultEvent('a1', 10)] }),
      'it is done once its action has been carried out': buildExchanges()
        .createSession()
        .send('a1', 'browser_action', GOTO)
        .poll(0, { events: [createResultEvent('a1', 10)] })
        .complete(toTimestamp(10)),
      'it broke': buildExchanges().createSession().complete(0, { status: 'failed' }),
      'a one-shot task': buildExchanges().create().complete(0),
    },
    bad: {
      'it ends by itself': createBadExample(
        buildExchanges().createSession().complete(0),
        /is "done" \d+ ms after the client's last request/,
        1,
        2,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'it ends by itself',
        insertUnreadEvent(1),
        /exchange 2 is not recorded/,
      ),
      'exchanges are missing': leaveUndecided(
        'it ends by itself',
        markMissingBefore(2),
        /exchanges next to 2/,
      ),
    },
  },
  'sessions/closes': {
    good: {
      closed: buildExchanges().createSession().close().complete(0),
      'it takes a while': buildExchanges().createSession().close().poll(0).poll(0).complete(0),
      'it waits for an action': buildExchanges()
        .createSession()
        .send('a', 'browser_action', GOTO)
        .close()
        .wait(60_000)
        .poll(0),
      'by a service that counts it as stopped': buildExchanges()
        .createSession()
        .close()
        .complete(0, { status: 'cancelled' }),
    },
    bad: {
      'it goes on': createBadExample(
        buildExchanges().createSession().close().wait(60_000).poll(0),
        /took a close and is "running" 60500 ms later/,
        2,
        3,
      ),
    },
  },
};

/** A close was sent with the refused action, and confirmed after the poll. */
function closedBeside(name: string, payload: unknown) {
  const talked = buildExchanges().createSession().send('a', name, payload, REFUSED).poll(0).close();
  const [, refused, , close] = talked.exchanges;
  close!.request.at = refused!.request.at;
  return talked;
}

/** The close was sent before the response with the end arrived. */
function closedMeanwhile() {
  const talked = buildExchanges()
    .createSession()
    .complete(0)
    .close({ status: 400, body: { detail: 'It is over.' } });
  const [, poll, close] = talked.exchanges;
  close!.request.at = poll!.request.at + 1;
  return talked;
}
