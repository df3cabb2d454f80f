import type { RuleExamples } from '../../../test/support/rules/example.js';
import { leaveUndecided, omitBodies } from '../../../test/support/rules/open.js';
import { buildExchanges, createBadExample } from '../../../test/support/rules/service-exchange-builder.js';

const model = (output: unknown, response_model: unknown = { type: 'object', required: ['city'] }) =>
  buildExchanges().create({ task: 'x', response_model }).complete(0, { output });
const DONE = { id: 't1', status: 'done', output: null, recording_url: null, credits_used: 1, events: [] };
const polled = (r: unknown, status = 200) =>
  buildExchanges().create().get('/task/t1', { status, body: { r } });
const RECORDED = { recording_url: 'https://recordings.example/t1' };
const LATE = { recording_url: null };
const { recording_url: _none, ...withoutRecording } = DONE;

export const examples: RuleExamples = {
  'outputs/model': {
    good: {
      'it fits': model({ city: 'Rome' }),
      'it failed': buildExchanges()
        .create({ task: 'x', response_model: { type: 'object' } })
        .complete(0, { status: 'failed', output: null }),
      'a schema that cannot be read': model('x', { type: 'nonsense' }),
      'a pattern that might hang its reader': model('a', { type: 'string', pattern: '(?=a)b' }),
    },
    bad: {
      'a part is missing': createBadExample(model({}), /"response_model": .*required property/, 1, 2),
      'a text': createBadExample(model('{"city":"Rome"}'), /must be object/, 1, 2),
      nothing: createBadExample(model(null), /must be object/, 1, 2),
    },
  },
  'tasks/recording-url': {
    good: {
      'at once': buildExchanges().create().complete(0, RECORDED),
      'ready after a minute': buildExchanges()
        .create()
        .complete(0, LATE)
        .wait(59_000)
        .complete(0, LATE)
        .wait(500)
        .complete(0, RECORDED),
      'there is none': buildExchanges().create().complete(0).wait(600_000).complete(0),
      'none was wanted': buildExchanges()
        .create({ task: 'Do it', enable_recording: false })
        .complete(0, LATE)
        .wait(600_000)
        .complete(0, LATE),
      'of a task that failed': polled({ id: 't1', status: 'failed' }),
    },
    bad: {
      'left out': createBadExample(polled(withoutRecording), /is done has nothing for its recording_url/, 2),
      'null for ever': createBadExample(
        buildExchanges().create().complete(0, LATE).complete(0, LATE).wait(60_000).complete(0, LATE),
        /is null \d+ ms after exchange 2 had shown that the task is done/,
        2,
        4,
      ),
    },
    open: {
      'the body of the creation is not recorded': leaveUndecided(
        'null for ever',
        omitBodies(1),
        /exchange 1 is not recorded/,
      ),
    },
  },
};
