import type { Examples } from '../../../test/support/rules/example.js';
import { CONFIRMED, call, GOTO, Talk } from '../../../test/support/rules/talk.js';

const session = () => new Talk().create({ task: null, url: 'https://example.com' });
const INPUTS: Record<string, object> = {
  extract: { schema: {} },
  evaluate_js: { js: '1' },
  run_task: { task: 'Look' },
};
const action = (name: string) => ({ name, input: INPUTS[name] ?? {} });
const CLOSE = { name: 'close' };

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
        says: /has the name "goto"\. goto goes under "browser_action"/,
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
        says: /no action "navigate"\. The action is called "goto"/,
        evidence: [2],
      },
      javascript: {
        talk: session().action('a', action('javascript')),
        says: /is called "evaluate_js"/,
        evidence: [2],
      },
      'a slip': {
        talk: session().action('a', action('extarct')),
        says: /is called "extract"/,
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
};

/** The client gave up waiting and asked again; both were answered in the end, the second one first. */
function late(): Talk {
  const talk = session().action('a').action('a');
  talk.exchanges[1]!.response!.at += 60_000;
  return talk;
}
