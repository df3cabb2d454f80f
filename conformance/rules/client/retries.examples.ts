import type { RuleExamples } from '../../../test/support/rules/example.js';
import {
  createToolCall,
  ExchangeBuilder,
  type ResponseParts,
} from '../../../test/support/rules/exchange-builder.js';
import {
  leaveUndecided,
  omitBodies,
  omitResponse,
  roundToSeconds,
} from '../../../test/support/rules/open.js';

const TASK = { method: 'POST', path: '/task', body: { task: 'Do it' } };
const ask = { path: '/task/t1?event_t=0' };
const RUNNING = { status: 202, body: { r: { id: 't1', status: 'running', events: [] } } };
const limited = (retry_after?: string): ResponseParts => ({
  status: 429,
  headers: retry_after === undefined ? {} : { 'retry-after': retry_after },
});
const tries = (count: number, response: ResponseParts) => {
  const talk = new ExchangeBuilder().create();
  for (let n = 0; n < count; n++) talk.wait(500).addExchange(ask, response);
  return talk;
};

export const examples: RuleExamples = {
  'limits/immediate-retry': {
    good: {
      'waits a moment': new ExchangeBuilder().create().addExchange(ask, limited()).wait(100).poll(0),
      'was told that it need not': new ExchangeBuilder()
        .create()
        .addExchange(ask, limited('0'))
        .addExchange(ask, { status: 202, body: {} }),
      'does something else meanwhile': new ExchangeBuilder()
        .create()
        .poll(0, { events: [createToolCall('c1', 5)] })
        .addExchange(ask, limited())
        .reply('c1'),
      'asked before it could know': asked(),
      'another reader, which has polled beside it before': beside(2),
      'another reader, which polls at another pace': new ExchangeBuilder()
        .create()
        .addExchange(ask, limited('1'))
        .addExchange(ask, RUNNING)
        .poll(0)
        .wait(-300)
        .poll(0),
      'looks at its task when an action fails': new ExchangeBuilder()
        .create({ task: null })
        .sendAction('a', {}, { status: 400 })
        .addExchange(ask, limited('1'))
        .addExchange(ask, RUNNING),
      'looks at its task when an action has got through': new ExchangeBuilder()
        .create({ task: null })
        .sendAction('a')
        .addExchange(ask, limited('1'))
        .addExchange(ask, RUNNING),
      'looks at the status alone beside its polls': new ExchangeBuilder()
        .create()
        .addExchange(ask, limited('1'))
        .addExchange({ path: '/task/t1' }, RUNNING),
      'another worker makes the same task': new ExchangeBuilder()
        .addExchange(TASK, limited('1'))
        .create(TASK.body)
        .wait(1000)
        .create(TASK.body),
    },
    bad: {
      'at once': {
        talk: new ExchangeBuilder()
          .create()
          .addExchange(ask, limited())
          .addExchange(ask, { status: 202, body: {} }),
        says: /GET \/task\/\{task_id\} is sent again 0 ms after exchange 2 was refused with the status 429/,
        evidence: [2, 3],
      },
      'more often in a row than there are readers': {
        talk: beside(6),
        says: /sent again 0 ms after/,
        evidence: [8, 9],
      },
      'at once, and again at its usual pace': {
        talk: new ExchangeBuilder()
          .create()
          .poll(0)
          .wait(500)
          .addExchange(ask, limited('1'))
          .addExchange(ask, RUNNING)
          .poll(0)
          .poll(0),
        says: /sent again 0 ms after exchange 3 was refused with the status 429/,
        evidence: [3, 4],
      },
      'a reply at once': {
        talk: new ExchangeBuilder()
          .create()
          .poll(0, { events: [createToolCall('c1', 5)] })
          .reply('c1', undefined, limited('1'))
          .reply('c1'),
        says: /POST \/task\/\{task_id\}\/event is sent again/,
        evidence: [3, 4],
      },
    },
    open: {
      'bodies are not recorded': leaveUndecided(
        'a reply at once',
        omitBodies(3, 4),
        /exchange 4 is not recorded/,
      ),
      'times are exact to a second': leaveUndecided('at once', roundToSeconds, /exact to 1000 ms/),
    },
  },
  'requests/bounded': {
    good: {
      'ten tries': tries(10, { status: 404 }),
      'twenty of what may pass': tries(20, { status: 503 }),
      'better in between': tries(15, { status: 503 }).poll(0).addExchange(ask, { status: 503 }),
      'polls that are answered': tries(40, { status: 202, body: { r: { id: 't1', status: 'running' } } }),
    },
    bad: {
      'polls a task that is gone for ever': {
        talk: tries(12, { status: 404 }),
        says: /sent 12 times in a row and got 404 each time\. That does not change/,
        evidence: [10, 11, 12, 13],
      },
      'tries for ever': {
        talk: tries(21, null),
        says: /sent 21 times in a row and got no response each time\. Try again a bounded/,
        evidence: [20, 21, 22],
      },
    },
    open: {
      'bodies are not recorded': leaveUndecided(
        'polls a task that is gone for ever',
        omitBodies(12, 13),
        /exchange 12 is not recorded/,
      ),
    },
  },
  'create/again': {
    good: {
      'after a limit': new ExchangeBuilder()
        .addExchange(TASK, limited('1'))
        .wait(1000)
        .addExchange(TASK, { body: { r: { id: 't1' } } }),
      'one more on purpose': new ExchangeBuilder().create().create(),
      'another task': new ExchangeBuilder().addExchange(TASK, null).create({ task: 'Something else' }),
    },
    bad: {
      'after a lost response': {
        talk: new ExchangeBuilder().addExchange(TASK, null).create(),
        says: /sent again after exchange 1 got no good response.*there are two/,
        evidence: [1, 2],
      },
      'after an error of a gateway': {
        talk: new ExchangeBuilder().addExchange(TASK, { status: 502, body: '<html>' }).create(),
        says: /there are two/,
        evidence: [1, 2],
      },
      'again and again': {
        talk: new ExchangeBuilder().addExchange(TASK, null).addExchange(TASK, null).addExchange(TASK, null),
        says: /after exchange 1 got no good response.*there are 3/,
        evidence: [1, 2, 3],
      },
    },
    open: {
      'the response is not recorded': leaveUndecided(
        'after a lost response',
        omitResponse(1),
        /exchange 1 is not recorded/,
      ),
    },
  },
};

/** Two readers poll in turn without a pause and get no events; then several polls get a 429. */
function beside(count: number): ExchangeBuilder {
  const talk = new ExchangeBuilder().create().addExchange(ask, RUNNING).addExchange(ask, RUNNING).wait(500);
  for (let n = 0; n < count; n++) talk.addExchange(ask, limited('1'));
  return talk;
}

/** Two pending polls are both refused. */
function asked(): ExchangeBuilder {
  const talk = new ExchangeBuilder().create().addExchange(ask, limited()).addExchange(ask, limited());
  const [, first, second] = talk.exchanges;
  second!.request.at = first!.request.at + 1;
  return talk;
}
