import type { NetworkRule, Target } from '../../../scenarios/format/types.js';
import { field } from '../../conversation/json.js';
import type { ReadExchange, WholeEvent } from '../../conversation/read-exchange.js';
import type { Draft } from './draft.js';
import type { RecordedTask } from './recorded-task.js';

/** A response that takes as long is no longer what a line is like, ms. */
const SLOW_MS = 2000;
/** Longest text of a page that is kept. */
const LONGEST_PAGE = 500;

/** What was wrong with one exchange, as a rule without its target. */
interface Disturbance {
  rule: Record<string, unknown> & { network: string };
  comment?: string;
}

/**
 * Adds what the network did, or what can be had of it: lost, cut, late and replaced responses, responses that list events once
 * more, twice or in another order. `ids`: the steps of calls and actions by the ids of their events.
 */
export function addDisturbances(
  recorded: RecordedTask,
  draft: Draft,
  ids: ReadonlyMap<string, string>,
): void {
  const polls = recorded.exchanges.filter((each) => each.is('getTask'));
  const readings = new Readings(polls);
  let run: { rule: NetworkRule; key: string; next: number } | undefined;
  for (const exchange of recorded.exchanges) {
    const isEnd = recorded.task.end !== undefined && exchange.seq > recorded.task.end.seq;
    const disturbances = isEnd
      ? []
      : [...disturbancesOf(exchange, recorded), ...readings.disturbancesOf(exchange)];
    const number = polls.indexOf(exchange);
    const target = targetOf(exchange, ids);
    if (target === undefined) continue;
    for (const { rule, comment } of disturbances) {
      const key = JSON.stringify([rule, target]);
      // The same once more to the next such request.
      if (run?.key === key && (number === -1 || run.next === number)) {
        run.rule.times = (run.rule.times ?? 1) + 1;
        run.next = number + 1;
        continue;
      }
      const skip = number === -1 ? 0 : pollsSince(draft, polls, exchange);
      const made = { ...rule, of: target, ...(skip > 0 && { skip }) } as NetworkRule;
      const place = exchange.is('createTask')
        ? { at: exchange.at, seq: exchange.seq }
        : placeBefore(draft, exchange, skip);
      draft.addRule(made, place, comment);
      run = { rule: made, key, next: number + 1 };
    }
  }
}

function targetOf(exchange: ReadExchange, ids: ReadonlyMap<string, string>): Target | undefined {
  if (exchange.is('createTask')) return { create: true };
  if (exchange.is('getTask')) return { poll: true };
  if (exchange.is('deleteTask')) return { cancel: true };
  const id = exchange.sent?.id;
  const step = typeof id === 'string' ? ids.get(id) : undefined;
  if (step === undefined) return undefined;
  return exchange.reply ? { reply: step } : { action: step };
}

/** When the last step before the request happened: the rule is set then. */
function stepBefore(draft: Draft, exchange: ReadExchange) {
  const before = draft.placed.filter(
    ({ step, at, seq }) =>
      !('network' in step) && (at < exchange.at || (at === exchange.at && seq < exchange.seq)),
  );
  return before.reduce<(typeof before)[number] | undefined>(
    (last, each) => (last && last.at > each.at ? last : each),
    undefined,
  );
}

/** Polls that come between the setting of a rule and the poll that it is about. */
function pollsSince(draft: Draft, polls: readonly ReadExchange[], exchange: ReadExchange): number {
  const since = stepBefore(draft, exchange)?.at ?? Number.NEGATIVE_INFINITY;
  return polls.filter(({ at, seq }) => seq < exchange.seq && at > since).length;
}

function placeBefore(draft: Draft, exchange: ReadExchange, _skip: number) {
  const before = stepBefore(draft, exchange);
  return exchange.is('getTask') && before
    ? { at: before.at, seq: exchange.seq }
    : { at: exchange.at, seq: exchange.seq };
}

/** What one exchange shows by itself. */
function disturbancesOf(exchange: ReadExchange, recorded: RecordedTask): Disturbance[] {
  const { httpStatus, responseBody, responseJson, at, respondedAt, exchange: raw } = exchange;
  const { response, network = [], upstream } = raw;
  const found: Disturbance[] = [];
  if (!response) {
    found.push(lost(exchange, recorded));
    return found;
  }
  const took = respondedAt - at;
  const isDelayed = network.some(({ effect }) => effect === 'delayed');
  if (took >= SLOW_MS || (isDelayed && took > 1)) {
    // A reply that is refused came too late: the request was held up.
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
  } else if (responseBody.state === 'text') found.push(garbled(exchange));
  else if (isFailure(exchange, recorded)) {
    const detail = field(responseJson, 'detail');
    const after = Number(exchange.responseHeader('retry-after'));
    found.push({
      rule: {
        network: 'fail',
        status: httpStatus,
        ...(typeof detail === 'string' && { detail }),
        ...(after > 0 && { retry_after_s: after }),
      },
    });
  }
  return found;
}

/** Whether the request or the response was lost shows in what came after it. */
function lost(exchange: ReadExchange, { task }: RecordedTask): Disturbance {
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

function garbled({ httpStatus, exchange: { response } }: ReadExchange): Disturbance {
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

/** An error that is not about what the client sent. */
function isFailure(exchange: ReadExchange, { task }: RecordedTask): boolean {
  const { httpStatus } = exchange;
  if (httpStatus === 429 || httpStatus >= 500 || [401, 403, 408].includes(httpStatus)) return true;
  // A poll of a task that was there, and is not any more.
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

/** How the polls list events. */
class Readings {
  /** What the client had when the poll was sent. */
  readonly #had = new Map<ReadExchange, Set<string>>();

  constructor(polls: readonly ReadExchange[]) {
    for (const poll of polls) {
      const before = polls.filter((each) => each.seq < poll.seq && poll.couldKnow(each));
      this.#had.set(
        poll,
        new Set(
          before.flatMap(({ wholeEvents }) => wholeEvents.map((each) => `${each.key} ${each.timestamp}`)),
        ),
      );
    }
  }

  disturbancesOf(poll: ReadExchange): Disturbance[] {
    const had = this.#had.get(poll);
    if (!had || !poll.record) return [];
    const { wholeEvents: events, readFrom = 0 } = poll;
    const found: Disturbance[] = [];
    const nameOf = ({ key, timestamp }: WholeEvent) => `${key} ${timestamp}`;
    const again = events.filter((each) => each.timestamp <= readFrom && had.has(nameOf(each)));
    if (again.length > 0) {
      const isPart = again.length < had.size;
      found.push({ rule: { network: 'redeliver', ...(isPart && { first: again.length }) } });
    }
    if (new Set(events.map(nameOf)).size < events.length) found.push({ rule: { network: 'repeat' } });
    else if (events.some(({ timestamp }, at) => at > 0 && timestamp < events[at - 1]!.timestamp))
      found.push({ rule: { network: 'shuffle' } });
    const listed = poll.record.events;
    if (listed === null) found.push({ rule: { network: 'reshape', events: null } });
    else if (listed === undefined) found.push({ rule: { network: 'reshape', events: 'absent' } });
    return found;
  }
}
