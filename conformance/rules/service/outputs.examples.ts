import type { Examples } from '../../../test/support/rules/example.js';
import { undecided, unreadBodies } from '../../../test/support/rules/open.js';
import { bad, talk } from '../../../test/support/rules/service-talk.js';

const model = (output: unknown, response_model: unknown = { type: 'object', required: ['city'] }) =>
  talk().create({ task: 'x', response_model }).end(0, { output });
const DONE = { id: 't1', status: 'done', output: null, recording_url: null, credits_used: 1, events: [] };
const polled = (r: unknown, status = 200) => talk().create().get('/task/t1', { status, body: { r } });
const RECORDED = { recording_url: 'https://recordings.example/t1' };
const LATE = { recording_url: null };
const { recording_url: _none, ...withoutRecording } = DONE;

export const examples: Examples = {
  'outputs/model': {
    good: {
      'it fits': model({ city: 'Rome' }),
      'it failed': talk()
        .create({ task: 'x', response_model: { type: 'object' } })
        .end(0, { status: 'failed', output: null }),
      'a schema that cannot be read': model('x', { type: 'nonsense' }),
      'a pattern that might hang its reader': model('a', { type: 'string', pattern: '(?=a)b' }),
    },
    bad: {
      'a part is missing': bad(model({}), /"response_model": .*required property/, 1, 2),
      'a text': bad(model('{"city":"Rome"}'), /must be object/, 1, 2),
      nothing: bad(model(null), /must be object/, 1, 2),
    },
  },
  'tasks/recording-url': {
    good: {
      'at once': talk().create().end(0, RECORDED),
      'ready after a minute': talk()
        .create()
        .end(0, LATE)
        .wait(59_000)
        .end(0, LATE)
        .wait(500)
        .end(0, RECORDED),
      'there is none': talk().create().end(0).wait(600_000).end(0),
      'none was wanted': talk()
        .create({ task: 'Do it', enable_recording: false })
        .end(0, LATE)
        .wait(600_000)
        .end(0, LATE),
      'of a task that failed': polled({ id: 't1', status: 'failed' }),
    },
    bad: {
      'left out': bad(polled(withoutRecording), /is done has nothing for its recording_url/, 2),
      'null for ever': bad(
        talk().create().end(0, LATE).end(0, LATE).wait(60_000).end(0, LATE),
        /is null \d+ ms after exchange 2 had shown that the task is done/,
        2,
        4,
      ),
    },
    open: {
      'the body of the creation is not recorded': undecided(
        'null for ever',
        unreadBodies(1),
        /exchange 1 is not recorded/,
      ),
    },
  },
};
