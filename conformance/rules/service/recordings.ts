import { field, isUrl, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import type { Complaint, Rule, Watcher } from '../rule.js';
import { Held } from './checking.js';

/** A recording may be ready so long after the task is done, ms: the largest `recording.delay` of a dialect. */
export const RECORDED_WITHIN_MS = 60_000;

/** Section "Task". */
export const recordingRules: readonly Rule[] = [
  {
    id: 'tasks/recording-url',
    requirements: ['TASK-07'],
    side: 'service',
    level: 'must',
    scope: 'task',
    title: 'A completed task has the address of its recording in `recording_url`.',
    start: recordingUrl,
  },
];

function recordingUrl(task: TaskConversation): Watcher {
  const held = new Held();
  function check(exchange: ReadExchange): Complaint[] {
    if (!exchange.is('getTask') || exchange.status !== 'done') return [];
    const url = field(exchange.record, 'recording_url');
    if (isUrl(url)) held.add(exchange.seq);
    // An empty text says that there is no recording. Null says that it is not ready.
    if (isUrl(url) || url === '') return [];
    if (url !== null) {
      const message = `A task that is done has ${show(url)} for its recording_url: it has to be a URL, or null for at most ${RECORDED_WITHIN_MS / 1000} s.`;
      return [{ message, evidence: [exchange.seq] }];
    }
    const { end, creation } = task;
    const waited = end ? exchange.at - end.answeredAt : 0;
    if (!end || waited < RECORDED_WITHIN_MS || creation?.request.enable_recording === false) return [];
    const message = `The recording_url is null ${waited} ms after exchange ${end.seq} had shown that the task is done: a recording may be ${RECORDED_WITHIN_MS / 1000} s late.`;
    return [{ message, evidence: [end.seq, exchange.seq] }];
  }
  return {
    held: held.seqs,
    see(exchange) {
      const complaints = check(exchange);
      return complaints;
    },
  };
}
