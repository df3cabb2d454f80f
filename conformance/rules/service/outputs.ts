import { readSchema, validate } from '../../../mock/generate/schema/read-schema.js';
import { type Fields, isUrl, show } from '../../conversation/json.js';
import { defineItemRules, type RuleItems } from '../rule.js';

/** Time until the recording of a finished task is ready, ms: the largest `recording.delay` of a dialect. */
export const RECORDED_WITHIN_MS = 60_000;

const DONE_TASKS: RuleItems<Fields> = {
  each: ({ record, status }) => (record && status === 'done' ? [record] : []),
};

/** Data of a finished task. Section "Task". */
export const outputRules = defineItemRules('service', 'task', ['getTask'], DONE_TASKS, {
  'outputs/model': {
    requirements: ['TASK-04'],
    title: 'The output satisfies the `response_model`.',
    check: ({ output = null }, { seq }, { creation, request, isDataDeleted }) => {
      const model = request?.response_model ?? null;
      if (typeof request?.task !== 'string' || model === null || isDataDeleted) return undefined;
      const wrong = findMisfit(model, output);
      if (wrong === undefined) return 'kept';
      if (wrong === 'unknown') return undefined;
      const message = `The output ${show(output)} of a task that is done does not fit its "response_model": ${wrong}.`;
      return { message, evidence: [creation!.seq, seq] };
    },
  },
  'tasks/recording-url': {
    requirements: ['TASK-07'],
    title: 'A completed task has the address of its recording in `recording_url`.',
    needs: ['creation'],
    check: ({ recording_url: recording }, exchange, { request, end, isDataDeleted }) => {
      if (isDataDeleted) return undefined;
      if (isUrl(recording)) return 'kept';
      if (recording === undefined) {
        const message = `A task that is done has nothing for its recording_url: it has to be a URL, or null for at most ${RECORDED_WITHIN_MS / 1000} s.`;
        return { message, isShown: true };
      }
      // Null: not ready. Empty text: no recording.
      if (recording !== null) return undefined;
      const waitedMs = end ? exchange.measureMinSince(end) : 0;
      if (!end || waitedMs < RECORDED_WITHIN_MS || request?.enable_recording === false) return undefined;
      const message = `The recording_url is null ${waitedMs} ms after exchange ${end.seq} had shown that the task is done: a recording may be ${RECORDED_WITHIN_MS / 1000} s late.`;
      return { message, evidence: [end.seq, exchange.seq] };
    },
  },
});

/** Violations that prove nothing: formats are not compulsory, and the validator stops after a number of steps. */
const NO_PROOF = ['format', 'steps'];

/**
 * The first violation of a schema; `unknown` if it cannot be decided: the schema may not be draft 2020-12, too large, or
 * written to block a validator. Never throws.
 */
export function findMisfit(schema: unknown, value: unknown): string | 'unknown' | undefined {
  const read = readSchema(schema);
  if ('problem' in read) return 'unknown';
  const mismatch = validate(read.document, value);
  return mismatch && NO_PROOF.includes(mismatch.keyword) ? 'unknown' : mismatch?.message;
}
