import type { Examples } from '../../../test/support/rules/example.js';
import { CONFIRMED, GOTO, Talk } from '../../../test/support/rules/talk.js';

const session = () => new Talk().create({ task: null, url: 'https://example.com' });
const _ask = { path: '/task/t1?event_t=0' };
const INPUTS: Record<string, object> = {
  extract: { schema: {} },
  evaluate_js: { js: '1' },
  run_task: { task: 'Look' },
};
const _action = (name: string) => ({ name, input: INPUTS[name] ?? {} });
const over = { status: 400, body: { detail: 'over' } };
const CLOSE = { name: 'close' };

export const examples: Examples = {
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
        says: /"js".*belongs inside/,
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
