import type { ServiceStep, Step } from '../../../scenarios/format/types.js';
import { formatDuration } from '../../../spec/duration.js';
import { isTerminal } from '../../../spec/vocabulary.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { findMaximum, findMinimum, roundMiddle, roundTime, type ScenarioDraft } from './draft.js';
import type { RecordedTask } from './recorded-task.js';

type UrlField = 'live_url' | 'recording_url' | 'downloads_url';

/** Adds the recorded changes of the task: statuses, URLs, the end. To be called after all other steps are added. */
export function addTaskSteps(recorded: RecordedTask, draft: ScenarioDraft): void {
  const records = recorded.exchanges
    .filter((each) => (each.is('getTask') || each.is('createTask')) && each.record !== undefined)
    .sort((one, other) => one.respondedAt - other.respondedAt);
  addWaitingStatus(recorded, records, draft);
  addLiveUrl(recorded, records, draft);
  addEnd(recorded, records, draft);
}

function addWaitingStatus(
  { creates }: RecordedTask,
  records: readonly ReadExchange[],
  draft: ScenarioDraft,
): void {
  const waiting = records.filter(({ status }) => status === 'waiting');
  if (waiting.length === 0) return;
  const { at, seq } = creates.at(-1)!;
  draft.add({ service: 'status', status: 'waiting' }, at, seq + 0.1);
  const next = records.find(({ status }) => status !== undefined && status !== 'waiting');
  if (!next) return;
  const first = findMinimum(
    draft.placed.flatMap(({ step, at }) => ('service' in step && step.service !== 'status' ? [at] : [])),
  );
  const { at: chosen, comment } = chooseTime(waiting.at(-1)!.at, Math.min(next.at, first), at);
  draft.add({ service: 'status', status: 'running' }, chosen, next.seq - 0.9, { comment });
}

/** By default a task has a live URL from the start. */
function addLiveUrl({ creates }: RecordedTask, records: readonly ReadExchange[], draft: ScenarioDraft): void {
  const { at: begin, seq: createSeq } = creates.at(-1)!;
  let before: { value: unknown; at: number } | undefined;
  for (const { record, at, respondedAt, status, seq } of records) {
    if (status !== undefined && isTerminal(status)) return;
    const value = record?.live_url ?? null;
    if (before === undefined && value === null)
      draft.add(createUrlStep('live_url', null), begin, createSeq + 0.2);
    if (before !== undefined && (value === null) !== (before.value === null)) {
      const { at: chosen, comment } = chooseTime(before.at, at, begin);
      draft.add(createUrlStep('live_url', value === null ? null : 'auto'), chosen, seq - 0.8, { comment });
    }
    before = { value, at: respondedAt };
  }
}

function addEnd(recorded: RecordedTask, records: readonly ReadExchange[], draft: ScenarioDraft): void {
  const { task, creates } = recorded;
  const { end, cancelled } = task;
  if (!end) {
    draft.remarks.push('The recording ends before the task does: add a finish, or leave it running.');
    return;
  }
  const isStopped = draft.placed.some(
    ({ step }) => 'client' in step && (step.client === 'cancel' || (step.client === 'close' && step.by)),
  );
  if (isStopped || (cancelled && end === cancelled)) return;
  const { record = {}, status, seq } = end;
  const active = records.filter(
    (each) => each.seq < seq && each.status !== undefined && !isTerminal(each.status),
  );
  const low = Math.max(creates.at(-1)!.at, findMaximum(active.map(({ at }) => at)), draft.lastAt);
  const refusedAt = readRefusalTime(recorded);
  const high = Math.max(low, Math.min(end.at, refusedAt));
  const { at, comment } = chooseTime(low, high, draft.lastAt);
  // Immediately after a poll: the poll is the trigger.
  const polls = active.filter((each) => each.is('getTask') && each.at > draft.lastAt).length;
  const after = high - low <= 1 && polls > 0 && high > draft.lastAt ? { after: { polls } } : {};
  const isAtOnce =
    Number.isFinite(refusedAt) ||
    [...task.events.values()].some(({ isWithEnd, event }) => isWithEnd && event.shape !== 'echo');
  const { output, credits_used, recording_url } = record;
  const finish: ServiceStep = {
    service: 'finish',
    ...(status !== 'done' && { status }),
    ...(output !== null && output !== undefined && { output }),
    ...(typeof credits_used === 'number' && { credits_used }),
    // Failed tasks have no recording.
    ...((recording_url === null || (recording_url === '' && status === 'done')) && { recording_url }),
    ...(isAtOnce && { at_once: true }),
  };
  draft.add(finish, at, seq, { comment, ...after });
  const late = records.filter(
    (each) => each.seq >= seq && each.status !== undefined && isTerminal(each.status),
  );
  addLateUrl('recording_url', late, draft);
  addLateUrl(
    'downloads_url',
    late.filter(({ query }) => query.get('downloads') === 'true'),
    draft,
  );
}

/** A permanently refused reply shows that the task was over by then. */
function readRefusalTime({ exchanges, task }: RecordedTask): number {
  const refused = exchanges.filter(
    (each) =>
      each.reply && task.calls.has(String(each.reply.id)) && [400, 404, 409, 410].includes(each.httpStatus),
  );
  return findMinimum(refused.map(({ respondedAt }) => respondedAt));
}

/** Adds a URL that appears after the end. */
function addLateUrl(name: UrlField, after: readonly ReadExchange[], draft: ScenarioDraft): void {
  const there = after.findIndex(({ record }) => typeof record?.[name] === 'string');
  if (there < 1 || after[0]?.record?.[name] !== null) return;
  const { record, at, seq } = after[there]!;
  const polls = after.slice(0, there).filter((each) => each.is('getTask')).length;
  const value = record![name] === '' ? '' : 'auto';
  draft.add(createUrlStep(name, value), at, seq, { after: { polls: Math.max(1, polls) } });
}

function createUrlStep(service: UrlField, value: string | null): Step {
  return { service, value };
}

/** Chooses a time within a known range. `since`: time of the previous step. */
function chooseTime(low: number, high: number, since: number): { at: number; comment?: string } {
  if (high - low <= 1) return { at: high };
  const at = since + roundMiddle(low - since, high - since);
  const [least, most] = [low - since, high - since].map((ms) => formatDuration(roundTime(ms)));
  return { at, comment: `Between ${least} and ${most}: the recording shows no exact time.` };
}
