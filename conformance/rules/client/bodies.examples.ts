import type { Examples } from '../../../test/support/rules/example.js';
import { GOTO, START_MS, Talk } from '../../../test/support/rules/talk.js';

const form = { 'content-type': 'application/x-www-form-urlencoded', apikey: 'key' };
const event = (timestamp: unknown) => ({ id: 'a', name: 'browser_action', payload: GOTO, timestamp });
const uploaded = () =>
  new Talk().ask(
    { method: 'POST', path: '/file', body: '(12 bytes of multipart)', headers: { apikey: 'key' } },
    { body: { r: { id: 'f1' } } },
  );

export const examples: Examples = {
  'body/json': {
    good: {
      JSON: new Talk().create(),
      'a body the journal cut': new Talk().ask(
        { method: 'POST', path: '/task', body: '{"task": "…', left_out: 9 },
        {},
      ),
      'an upload': uploaded(),
    },
    bad: {
      'a form': {
        talk: new Talk().ask(
          { method: 'POST', path: '/task', body: 'task=x', headers: form },
          { status: 422 },
        ),
        says: /begins with "task=x".*not a form/,
        evidence: [1],
      },
    },
  },
  'body/content-type-missing': {
    good: { 'a content type': new Talk().create() },
    bad: {
      'no content type': {
        talk: new Talk().ask({ method: 'POST', path: '/task', body: {}, headers: { apikey: 'k' } }, {}),
        says: /no content type/,
        evidence: [1],
      },
    },
  },
  'body/content-type': {
    good: {
      'with a charset': new Talk().ask(
        {
          method: 'POST',
          path: '/task',
          body: {},
          headers: { apikey: 'k', 'Content-Type': 'application/json; charset=utf-8' },
        },
        {},
      ),
    },
    bad: {
      'that of a form': {
        talk: new Talk().ask({ method: 'POST', path: '/task', body: {}, headers: form }, {}),
        says: /x-www-form-urlencoded/,
        evidence: [1],
      },
    },
  },
  'body/event-payload': {
    good: { 'an object': new Talk().create({ task: null }).action('a') },
    bad: {
      'JSON in JSON': {
        talk: new Talk().create({ task: null }).action('a', JSON.stringify(GOTO), { status: 422 }),
        says: /twice/,
        evidence: [2],
      },
    },
  },
  'body/event-timestamp': {
    good: {
      'ms, null, nothing': new Talk()
        .create({ task: null })
        .event(event(START_MS))
        .event({ ...event(null), id: 'b' })
        .event({ ...event(undefined), id: 'c' }),
    },
    bad: {
      'a text': {
        talk: new Talk().create({ task: null }).event(event('2026-01-01T00:00:00Z')),
        says: /integer.*"2026-01-01/,
        evidence: [2],
      },
      'a fraction': {
        talk: new Talk().create({ task: null }).event(event(START_MS + 0.5)),
        says: /integer/,
        evidence: [2],
      },
    },
  },
  'body/event-timestamp-unit': {
    good: { ms: new Talk().create({ task: null }).event(event(START_MS)) },
    bad: {
      seconds: {
        talk: new Talk().create({ task: null }).event(event(START_MS / 1000)),
        says: /looks like seconds/,
        evidence: [2],
      },
    },
  },
};
