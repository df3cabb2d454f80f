import type { RuleExamples } from '../../../test/support/rules/example.js';
import {
  CONFIRMED,
  createToolCall,
  ExchangeBuilder,
  GOTO,
} from '../../../test/support/rules/exchange-builder.js';
import { insertUnreadEvent, leaveUndecided } from '../../../test/support/rules/open.js';

const session = () => new ExchangeBuilder().create({ task: null, url: 'https://example.com' });
const INPUTS: Record<string, object> = {
  extract: { schema: {} },
  evaluate_js: { js: '1' },
  run_task: { task: 'Look' },
};
const action = (name: string) => ({ name, input: INPUTS[name] ?? {} });
const CLOSE = { name: 'close' };
const over = { status: 400, body: { detail: 'over' } };

export const examples: RuleExamples = {
  'actions/event-kind': {
    good: {
      'an action and a reply': session()
        .poll(0, { events: [createToolCall('c1', 5)] })
        .reply('c1')
        .sendAction('a'),
    },
    bad: {
      'the name of the action': {
        talk: session().sendEvent({ id: 'a', name: 'goto', payload: { url: 'x' } }, { status: 422 }),
        says: /has the name "goto"\. Events are called browser_action.*own name in the payload/,
        evidence: [2],
      },
      'a name of its own': {
        talk: session().sendEvent(
          { id: 'a', name: 'tool_response', payload: { code: 200, output: 1 } },
          { status: 422 },
        ),
        says: /called browser_action, session_action, tool_call/,
        evidence: [2],
      },
    },
  },
  'actions/known-name': {
    good: {
      'all five': session()
        .sendAction('1')
        .sendAction('2', action('extract'))
        .sendAction('3', action('evaluate_js'))
        .sendAction('4', action('run_task'), CONFIRMED, 'session_action')
        .sendAction('5', CLOSE, CONFIRMED, 'session_action'),
    },
    bad: {
      navigate: {
        talk: session().sendAction('a', action('navigate')),
        says: /no action "navigate"\. The actions are goto, extract/,
        evidence: [2],
      },
      'something else': {
        talk: session().sendAction('a', action('screenshot')),
        says: /goto, extract, evaluate_js, run_task, close/,
        evidence: [2],
      },
      'no name at all': {
        talk: session().sendAction('a', { url: 'x' }),
        says: /has no name: it holds \["url"\]/,
        evidence: [2],
      },
    },
  },
  'actions/event-name': {
    good: { 'goto as browser_action': session().sendAction('a') },
    bad: {
      'close as browser_action': {
        talk: session().sendAction('a', CLOSE),
        says: /close was sent under the name "browser_action".*"session_action"/,
        evidence: [2],
      },
    },
  },
  'actions/close-input': {
    good: {
      'no input': session().sendAction('z', { name: 'close' }, undefined, 'session_action'),
      'null, as unset fields are by some': session().sendAction(
        'z',
        { name: 'close', input: null },
        undefined,
        'session_action',
      ),
    },
    bad: {
      'an empty input': {
        talk: session().sendAction('z', { name: 'close', input: {} }, undefined, 'session_action'),
        says: /The close has the input \{\}/,
        evidence: [2],
      },
      'an input': {
        talk: session().sendAction(
          'z',
          { name: 'close', input: { force: true } },
          undefined,
          'session_action',
        ),
        says: /The close has the input \{"force":true\}.*takes none/,
        evidence: [2],
      },
    },
  },
  'actions/has-id': {
    good: { 'an id': session().sendAction('a') },
    bad: {
      'no id': {
        talk: session().sendAction(undefined),
        says: /"goto" has nothing for its id/,
        evidence: [2],
      },
    },
  },
  'actions/unique-id': {
    good: {
      'an id for each': session().sendAction('a').sendAction('b'),
      'the same after a lost response': session().sendAction('a', GOTO, null).sendAction('a'),
      'the same after an error': session()
        .sendAction('a', GOTO, { status: 502, body: '<html>' })
        .sendAction('a'),
      'the same after a response that cannot be read': session()
        .sendAction('a', GOTO, { body: '{"r": {"i' })
        .sendAction('a'),
      'the same before the response arrived': late(),
      'the same id in another task': new ExchangeBuilder().sendAction('a').addExchange(
        {
          method: 'POST',
          path: '/task/t2/event',
          body: { id: 'a', name: 'browser_action', payload: GOTO },
        },
        CONFIRMED,
      ),
    },
    bad: {
      'another action': {
        talk: session().sendAction('a', GOTO, null).sendAction('a', action('extract')),
        says: /"a" of an action was given to another action/,
        evidence: [2, 3],
      },
      'the same after it was confirmed': {
        talk: session().sendAction('a').sendAction('a'),
        says: /sent and confirmed before/,
        evidence: [2, 3],
      },
      'the id of a call': {
        talk: session()
          .poll(0, { events: [createToolCall('c1', 5)] })
          .sendAction('c1'),
        says: /is that of a tool call/,
        evidence: [2, 3],
      },
    },
  },
  'actions/input': {
    good: {
      'what it needs and more': session()
        .sendAction('1', { name: 'extract', input: { schema: {}, prompt: null } })
        .sendAction(
          '2',
          { name: 'run_task', input: { task: 'Look', max_steps: 3 } },
          CONFIRMED,
          'session_action',
        ),
      'a close has none': session().sendAction('z', CLOSE, CONFIRMED, 'session_action'),
    },
    bad: {
      'nothing to go to': {
        talk: session().sendAction('a', { name: 'goto', input: {} }),
        says: /input of goto has nothing for "url", and has to have a text\.$/,
        evidence: [2],
      },
      'beside the input': {
        talk: session().sendAction('a', { name: 'evaluate_js', js: '1' }),
        says: /has nothing for "js"/,
        evidence: [2],
      },
      'a schema as text': {
        talk: session().sendAction('a', { name: 'extract', input: { schema: '{}' } }),
        says: /a JSON Schema object/,
        evidence: [2],
      },
    },
  },
  'actions/after-close': {
    good: {
      'the close last': session().sendAction('a').sendAction('z', CLOSE, CONFIRMED, 'session_action').poll(0),
      'a close that was refused': session().sendAction('z', CLOSE, over, 'session_action').sendAction('a'),
      'an action that met a limit before': session()
        .sendAction('a', GOTO, { status: 429 })
        .addExchange({ method: 'DELETE', path: '/task/t1' }, {})
        .wait(1000)
        .sendAction('a', GOTO, over),
      'an action that met a limit before, under another id': session()
        .sendAction('a', GOTO, { status: 429 })
        .addExchange({ method: 'DELETE', path: '/task/t1' }, {})
        .wait(1000)
        .sendAction('b', GOTO, over),
      'closed once more with DELETE': session()
        .sendAction('z', CLOSE, CONFIRMED, 'session_action')
        .addExchange({ method: 'DELETE', path: '/task/t1' }, {}),
    },
    bad: {
      'an action after the close': {
        talk: session().sendAction('z', CLOSE, CONFIRMED, 'session_action').sendAction('a', GOTO, over),
        says: /goto is sent although the session was closed in exchange 2/,
        evidence: [2, 3],
      },
      'an action after DELETE': {
        talk: session().addExchange({ method: 'DELETE', path: '/task/t1' }, {}).sendAction('a', GOTO, over),
        says: /closed in exchange 2/,
        evidence: [2, 3],
      },
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'an action after the close',
        insertUnreadEvent(1),
        /exchange 2 is not recorded/,
      ),
    },
  },
  'actions/after-the-end': {
    good: {
      'closes what is closed': session().complete(0).sendAction('x', CLOSE, over, 'session_action'),
      'an action whose response was lost': session()
        .sendAction('a', GOTO, null)
        .complete(0)
        .sendAction('a', GOTO, over),
    },
    bad: {
      'an action': {
        talk: session().complete(0).sendAction('a', undefined, over),
        says: /goto is sent although the task was "done" in the response to exchange 2.*drop what is pending/,
        evidence: [2, 3],
      },
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'an action',
        insertUnreadEvent(1),
        /exchange 2 is not recorded/,
      ),
    },
  },
  'requests/deprecated': {
    good: { 'a profile': new ExchangeBuilder().addExchange({ path: '/profile' }, {}) },
    bad: {
      'the browser of old': {
        talk: new ExchangeBuilder().addExchange({ path: '/browser/profile' }, {}),
        says: /GET \/browser\/profile is deprecated/,
        evidence: [1],
      },
    },
  },
};

/** The client timed out and sent the request again; both got a response, the second one first. */
function late(): ExchangeBuilder {
  const talk = session().sendAction('a').sendAction('a');
  talk.exchanges[1]!.response!.at += 60_000;
  return talk;
}
