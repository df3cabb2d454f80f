import type { NetworkRule } from '../../../scenarios/format/types.js';
import type { RuleTarget } from '../../../scenarios/verbs/target.js';
import { countUntil } from '../../../spec/lists.js';
import { readField } from '../../conversation/json.js';
import type { ReadExchange, WholeEvent } from '../../conversation/read-exchange.js';
import type { PlacedStep, ScenarioDraft } from './draft.js';
import type { RecordedTask } from './recorded-task.js';

/** A response that takes this long counts as delayed, ms. */
const SLOW_MS = 2000;
/** Most characters of a page that are kept. */
const LONGEST_PAGE = 500;

/** A disturbance of one exchange, as a network rule without its target. */
interface Disturbance {
  rule: Record<string, unknown> & { network: string };
  comment?: string;
}

/**
 * Adds network rules for the recorded disturbances: lost, truncated, late and replaced responses, and responses that list
 * events again, twice or in another order. `ids`: step ids of calls and actions by event id.
 */
export function addDisturbances(
  recorded: RecordedTask,
  draft: ScenarioDraft,
  ids: ReadonlyMap<string, string>,
): void {
  const polls = recorded.exchanges.filter((each) => each.is('getTask'));
  const numbers = new Map(polls.map((poll, number) => [poll, number]));
  const readings = new PollReadings();
  const times = new StepTimes(draft, polls);
  let run: { rule: NetworkRule; key: string; next: number } | undefined;
  for (const exchange of recorded.exchanges) {
    const isEnd = recorded.task.end !== undefined && exchange.seq > recorded.task.end.seq;
    const disturbances = isEnd
      ? []
      : [...collectDisturbances(exchange, recorded), ...readings.collectDisturbances(exchange)];
    const number = numbers.get(exchange) ?? -1;
    const target = findTarget(exchange, ids);
    if (target === undefined) continue;
    for (const { rule, comment } of disturbances) {
      const key = JSON.stringify([rule, target]);
      // The same disturbance of the next such request.
      if (run?.key === key && (number === -1 || run.next === number)) {
        run.rule.times = (run.rule.times ?? 1) + 1;
        run.next = number + 1;
        continue;
      }
      const before = times.findTimeBefore(exchange);
      const skip = number === -1 ? 0 : times.countPollsBetween(before, number);
      const made = { ...rule, of: target, ...(skip > 0 && { skip }) } as NetworkRule;
      const at = exchange.is('getTask') && before !== undefined ? before : exchange.at;
      draft.addRule(made, { at, seq: exchange.seq }, comment);
      run = { rule: made, key, next: number + 1 };
    }
  }
}

function findTarget(exchange: ReadExchange, ids: ReadonlyMap<string, string>): RuleTarget | undefined {
  if (exchange.is('createTask')) return { create: true };
  if (exchange.is('getTask')) return { poll: true };
  if (exchange.is('deleteTask')) return { cancel: true };
  const id = exchange.sent?.id;
  const step = typeof id === 'string' ? ids.get(id) : undefined;
  if (step === undefined) return undefined;
  return exchange.reply ? { reply: step } : { action: step };
}

/** Times of the steps and polls of a timeline. Network rules do not count as steps. */
class StepTimes {
  readonly #steps: readonly PlacedStep[];
  readonly #polls: readonly number[];

  /** `polls`: ordered by the start of the request. */
  constructor(draft: ScenarioDraft, polls: readonly ReadExchange[]) {
    this.#steps = draft.placed.filter(({ step }) => !('network' in step)).sort(compareByTime);
    this.#polls = polls.map(({ at }) => at);
  }

  /** Time of the last step before the request: a rule about the request is set then. */
  findTimeBefore(exchange: ReadExchange): number | undefined {
    return this.#steps[countUntil(this.#steps, (each) => compareByTime(each, exchange) < 0) - 1]?.at;
  }

  /** Polls between the setting of a rule and its target, which is `polls[number]`. */
  countPollsBetween(since: number | undefined, number: number): number {
    return since === undefined ? number : Math.max(0, number - countUntil(this.#polls, (at) => at <= since));
  }
}

type TimedStep = Pick<PlacedStep, 'at' | 'seq'>;

function compareByTime(one: TimedStep, other: TimedStep): number {
  return one.at - other.at || one.seq - other.seq;
}

function collectDisturbances(exchange: ReadExchange, recorded: RecordedTask): Disturbance[] {
  const { httpStatus, responseBody, responseJson, at, respondedAt, exchange: raw } = exchange;
  const { response, network = [], upstream } = raw;
  const found: Disturbance[] = [];
  if (!response) {
    found.push(createLoss(exchange, recorded));
    return found;
  }
  const took = respondedAt - at;
  const isDelayed = network.some(({ effect }) => effect === 'delayed');
  if (took >= SLOW_MS || (isDelayed && took > 1)) {
    // A refused reply arrived too late: the request was delayed.
    const isLate =
      exchange.reply !== undefined && httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429;
    const rule = { network: 'delay', time_ms: Math.round(took), ...(isLate && { side: 'request' }) };
    found.push({
      rule,
      ...(isDelayed ? {} : { comment: 'The service may have been slow itself, or have held the poll.' }),
    });
  }
  if (network.some(({ effect }) => effect === 'duplicated') || (upstream?.length ?? 1) > 1)
    found.push({ rule: { network: 'duplicate' } });
  const isCut =
    network.some(({ effect }) => effect === 'cut') ||
    (response.left_out === undefined && isHalfJson(response.body));
  if (isCut) {
    const bytes = response.cut_at ?? Buffer.byteLength(response.body);
    found.push({
      rule: { network: 'truncate', ...(response.cut_at !== undefined || !network.length ? { bytes } : {}) },
    });
  } else if (responseBody.state === 'text') found.push(createGarble(exchange));
  else if (isFailure(exchange, recorded)) {
    const detail = readField(responseJson, 'detail');
    const after = Math.ceil((exchange.retryAfterMs ?? 0) / 1000);
    found.push({
      rule: {
        network: 'fail',
        status: httpStatus,
        ...(typeof detail === 'string' && { detail }),
        ...(after > 0 && { retry_after_s: after }),
        ...(after > 0 && isDate(exchange) && { retry_after_form: 'date' as const }),
      },
    });
  }
  return found;
}

/** A later attempt shows whether the request or the response was lost. */
function createLoss(exchange: ReadExchange, { task }: RecordedTask): Disturbance {
  const { upstream, network } = exchange.exchange;
  const reply = exchange.reply?.id;
  const again =
    typeof reply === 'string'
      ? task.replies.get(reply)?.find((each) => each.ok && each.seq > exchange.seq)
      : undefined;
  if (upstream) return { rule: { network: 'drop', side: upstream.length === 0 ? 'request' : 'response' } };
  const seen = network?.find(({ effect }) => effect === 'lost');
  if (seen) return { rule: { network: 'drop', side: seen.side ?? 'response' } };
  if (exchange.is('getTask')) return { rule: { network: 'drop', side: 'response' } };
  const side = again ? 'request' : 'response';
  return {
    rule: { network: 'drop', side },
    comment: `The recording does not show whether the request or the response was lost: ${side} is a guess.`,
  };
}

function createGarble({ httpStatus, exchange: { response } }: ReadExchange): Disturbance {
  const { body, headers } = response!;
  const type = headers['content-type'];
  return {
    rule: {
      network: 'garble',
      status: httpStatus,
      ...(body.length <= LONGEST_PAGE && { body }),
      ...(type !== undefined && { content_type: type }),
    },
  };
}

/** An error that the content of the request did not cause. */
function isFailure(exchange: ReadExchange, { task }: RecordedTask): boolean {
  const { httpStatus } = exchange;
  if (httpStatus === 429 || httpStatus >= 500 || [401, 403, 408].includes(httpStatus)) return true;
  // A poll of a task that existed and no longer exists.
  return exchange.is('getTask') && httpStatus >= 400 && !task.isDataDeleted;
}

function isHalfJson(body: string): boolean {
  if (!/^\s*[{[]/.test(body)) return false;
  try {
    JSON.parse(body);
    return false;
  } catch {
    return !/[}\]]\s*$/.test(body);
  }
}

/** Compares how polls list events. Polls arrive ordered by the start of the request. */
class PollReadings {
  /** Events that the client had when the last poll was sent. */
  readonly #had = new Set<string>();
  /** Polls whose events the client did not have by then. */
  #unread: ReadExchange[] = [];

  collectDisturbances(poll: ReadExchange): Disturbance[] {
    if (!poll.is('getTask') || !poll.record) return [];
    const { wholeEvents: events, readFrom = 0 } = poll;
    const found: Disturbance[] = [];
    const formatEventKey = ({ key, timestamp }: WholeEvent) => `${key} ${timestamp}`;
    const had = this.#had;
    this.#unread = this.#unread.filter((each) => {
      if (!poll.canKnow(each)) return true;
      for (const event of each.wholeEvents) had.add(formatEventKey(event));
      return false;
    });
    if (events.length > 0) this.#unread.push(poll);
    const again = events.filter((each) => each.timestamp <= readFrom && had.has(formatEventKey(each)));
    if (again.length > 0) {
      const isPart = again.length < had.size;
      found.push({ rule: { network: 'redeliver', ...(isPart && { first: again.length }) } });
    }
    if (new Set(events.map(formatEventKey)).size < events.length) found.push({ rule: { network: 'repeat' } });
    else if (events.some(({ timestamp }, at) => at > 0 && timestamp < events[at - 1]!.timestamp))
      found.push({ rule: { network: 'shuffle' } });
    const listed = poll.record.events;
    if (listed === null) found.push({ rule: { network: 'reshape', events: null } });
    else if (listed === undefined) found.push({ rule: { network: 'reshape', events: 'absent' } });
    return found;
  }
}

/** Whether Retry-After is a date. */
function isDate(exchange: ReadExchange): boolean {
  return !/^\s*\d/.test(exchange.findResponseHeader('retry-after') ?? '');
}
