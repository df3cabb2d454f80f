import type { Examples } from '../../../test/support/rules/example.js';
import { undecided, unreadEvent } from '../../../test/support/rules/open.js';
import { CONFIRMED, call, GOTO, Talk } from '../../../test/support/rules/talk.js';

const session = () => new Talk().create({ task: null, url: 'https://example.com' });
const INPUTS: Record<string, object> = {
  extract: { schema: {} },
  evaluate_js: { js: '1' },
  run_task: { task: 'Look' },
};
const action = (name: string) => ({ name, input: INPUTS[name] ?? {} });
const CLOSE = { name: 'close' };
const over = { status: 400, body: { detail: 'over' } };

export const examples: Examples = {
  'actions/event-kind': {
    good: {
      'an action and a reply': session()
        .poll(0, { events: [call('c1', 5)] })
        .reply('c1')
        .action('a'),
    },
    bad: {
      'the name of the action': {
        talk: session().event({ id: 'a', name: 'goto', payload: { url: 'x' } }, { status: 422 }),
        says: /has the name "goto"\. Events are called browser_action.*own name in the payload/,
        evidence: [2],
      },
      'a name of its own': {
        talk: session().event(
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
        .action('1')
        .action('2', action('extract'))
        .action('3', action('evaluate_js'))
        .action('4', action('run_task'), CONFIRMED, 'session_action')
        .action('5', CLOSE, CONFIRMED, 'session_action'),
    },
    bad: {
      navigate: {
        talk: session().action('a', action('navigate')),
        says: /no action "navigate"\. The actions are goto, extract/,
        evidence: [2],
      },
      'something else': {
        talk: session().action('a', action('screenshot')),
        says: /goto, extract, evaluate_js, run_task, close/,
        evidence: [2],
      },
      'no name at all': {
        talk: session().action('a', { url: 'x' }),
        says: /has no name: it holds \["url"\]/,
        evidence: [2],
      },
    },
  },
  'actions/event-name': {
    good: { 'goto as browser_action': session().action('a') },
    bad: {
      'close as browser_action': {
        talk: session().action('a', CLOSE),
        says: /close was sent under the name "browser_action".*"session_action"/,
        evidence: [2],
      },
    },
  },
  'actions/close-input': {
    good: {
      'no input': session().action('z', { name: 'close' }, undefined, 'session_action'),
      'null, as unset fields are by some': session().action(
        'z',
        { name: 'close', input: null },
        undefined,
        'session_action',
      ),
    },
    bad: {
      'an empty input': {
        talk: session().action('z', { name: 'close', input: {} }, undefined, 'session_action'),
        says: /The close has the input \{\}/,
        evidence: [2],
      },
      'an input': {
        talk: session().action('z', { name: 'close', input: { force: true } }, undefined, 'session_action'),
        says: /The close has the input \{"force":true\}.*takes none/,
        evidence: [2],
      },
    },
  },
  'actions/has-id': {
    good: { 'an id': session().action('a') },
    bad: {
      'no id': { talk: session().action(undefined), says: /"goto" has nothing for its id/, evidence: [2] },
    },
  },
  'actions/unique-id': {
    good: {
      'an id for each': session().action('a').action('b'),
      'the same after a lost answer': session().action('a', GOTO, null).action('a'),
      'the same after an error': session().action('a', GOTO, { status: 502, body: '<html>' }).action('a'),
      'the same after an answer that cannot be read': session()
        .action('a', GOTO, { body: '{"r": {"i' })
        .action('a'),
      'the same before the answer came': late(),
      'the same id in another task': new Talk().action('a').ask(
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
        talk: session().action('a', GOTO, null).action('a', action('extract')),
        says: /"a" of an action was given to another action/,
        evidence: [2, 3],
      },
      'the same after it was confirmed': {
        talk: session().action('a').action('a'),
        says: /sent and confirmed before/,
        evidence: [2, 3],
      },
      'the id of a call': {
        talk: session()
          .poll(0, { events: [call('c1', 5)] })
          .action('c1'),
        says: /is that of a tool call/,
        evidence: [2, 3],
      },
    },
  },
  'actions/input': {
    good: {
      'what it needs and more': session()
        .action('1', { name: 'extract', input: { schema: {}, prompt: null } })
        .action(
          '2',
          { name: 'run_task', input: { task: 'Look', max_steps: 3 } },
          CONFIRMED,
          'session_action',
        ),
      'a close has none': session().action('z', CLOSE, CONFIRMED, 'session_action'),
    },
    bad: {
      'nothing to go to': {
        talk: session().action('a', { name: 'goto', input: {} }),
        says: /input of goto has nothing for "url", and has to have a text\.$/,
        evidence: [2],
      },
      'beside the input': {
        talk: session().action('a', { name: 'evaluate_js', js: '1' }),
        says: /has nothing for "js"/,
        evidence: [2],
      },
      'a schema as text': {
        talk: session().action('a', { name: 'extract', input: { schema: '{}' } }),
        says: /a JSON Schema object/,
        evidence: [2],
      },
    },
  },
  'actions/after-close': {
    good: {
      'the close last': session().action('a').action('z', CLOSE, CONFIRMED, 'session_action').poll(0),
      'a close that was refused': session().action('z', CLOSE, over, 'session_action').action('a'),
      'an action that met a limit before': session()
        .action('a', GOTO, { status: 429 })
        .ask({ method: 'DELETE', path: '/task/t1' }, {})
        .wait(1000)
        .action('a', GOTO, over),
      'closed once more with DELETE': session()
        .action('z', CLOSE, CONFIRMED, 'session_action')
        .ask({ method: 'DELETE', path: '/task/t1' }, {}),
    },
    bad: {
      'an action after the close': {
        talk: session().action('z', CLOSE, CONFIRMED, 'session_action').action('a', GOTO, over),
        says: /goto is sent although the session was closed in exchange 2/,
        evidence: [2, 3],
      },
      'an action after DELETE': {
        talk: session().ask({ method: 'DELETE', path: '/task/t1' }, {}).action('a', GOTO, over),
        says: /closed in exchange 2/,
        evidence: [2, 3],
      },
    },
    open: {
      'a body is not recorded': undecided(
        'an action after the close',
        unreadEvent(1),
        /exchange 2 is not recorded/,
      ),
    },
  },
  'actions/after-the-end': {
    good: {
      'closes what is closed': session().end(0).action('x', CLOSE, over, 'session_action'),
      'an action whose answer was lost': session().action('a', GOTO, null).end(0).action('a', GOTO, over),
    },
    bad: {
      'an action': {
        talk: session().end(0).action('a', undefined, over),
        says: /goto is sent although the task was "done" in the response to exchange 2.*drop what is pending/,
        evidence: [2, 3],
      },
    },
    open: {
      'a body is not recorded': undecided('an action', unreadEvent(1), /exchange 2 is not recorded/),
    },
  },
  'requests/deprecated': {
    good: { 'a profile': new Talk().ask({ path: '/profile' }, {}) },
    bad: {
      'the browser of old': {
        talk: new Talk().ask({ path: '/browser/profile' }, {}),
        says: /GET \/browser\/profile is deprecated/,
        evidence: [1],
      },
    },
  },
};

/** The client gave up waiting and asked again; both were answered in the end, the second one first. */
function late(): Talk {
  const talk = session().action('a').action('a');
  talk.exchanges[1]!.response!.at += 60_000;
  return talk;
}
