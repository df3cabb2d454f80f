import { field, isUrl, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';

/** A recording may be ready so long after the task is done, ms: the largest `recording.delay` of a dialect. */
export const RECORDED_WITHIN_MS = 60_000;

/** Section "Task". */
export const recordingRules = defineRules({ side: 'service', level: 'must', scope: 'task' }, [
  {
    id: 'tasks/recording-url',
    requirements: ['TASK-07'],
    title: 'A completed task has the address of its recording in `recording_url`.',
    start: recordingUrl,
  },
]);

function recordingUrl({ task, kept }: RuleContext): Watcher {
  function check(exchange: ReadExchange): Judgement {
    if (!exchange.is('getTask') || exchange.status !== 'done') return undefined;
    const url = field(exchange.record, 'recording_url');
    if (isUrl(url)) kept(exchange.seq);
    // An empty text says that there is no recording. Null says that it is not ready.
    if (isUrl(url) || url === '') return undefined;
    if (url !== null) {
      const message = `A task that is done has ${show(url)} for its recording_url: it has to be a URL, or null for at most ${RECORDED_WITHIN_MS / 1000} s.`;
      return { message };
    }
    const { end, creation } = task;
    const waited = end ? exchange.at - end.respondedAt : 0;
    if (!end || waited < RECORDED_WITHIN_MS || creation?.request.enable_recording === false) return undefined;
    const message = `The recording_url is null ${waited} ms after exchange ${end.seq} had shown that the task is done: a recording may be ${RECORDED_WITHIN_MS / 1000} s late.`;
    return { message, evidence: [end.seq, exchange.seq] };
  }
  return {
    see(exchange) {
      const complaints = check(exchange);
      return complaints;
    },
  };
}
