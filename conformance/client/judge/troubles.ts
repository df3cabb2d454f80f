import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { describeRequest, type ObservedRun, onClientClock } from './observed-run.js';

/** So many refusals with 429 in a row of one request are enough of a reason to give up. */
const MANY_LIMITS = 3;

/** An answer that takes so long may come after the client's own time-out, or leave it too little time, ms. */
const SLOW_MS = 5000;

/** What stood in a client's way. */
export interface Troubles {
  /** In words, each with its exchange; empty where nothing did. */
  reasons: string[];
  /** Some request met with trouble: it is not only that things did not end well. */
  onTheWay: boolean;
  /** The first of them that trying again would have mended. */
  mendable: string | undefined;
  /** The task itself went wrong, or an action did: to say so is a report, not a surrender. */
  isBadEnd: boolean;
}

/** What in this run may make a correct client give up. What the client brought upon itself does not. */
export function troublesOf(observed: ObservedRun): Troubles {
  const reasons: string[] = [];
  let mendable: string | undefined;
  const limits = new Map<string, number>();
  for (const seen of observed.exchanges) {
    const reason = reasonIn(seen, observed) ?? limited(seen, limits, observed);
    if (reason === undefined) continue;
    reasons.push(reason);
    const status = seen.exchange.response?.status ?? 0;
    const isForGood = status >= 400 && status < 500 && status !== 429;
    // To make a task once more may make two, unless the first was refused.
    if (!isForGood && (status === 429 || !seen.is('createTask'))) mendable ??= reason;
  }
  const ends = endings(observed);
  return {
    reasons: [...reasons, ...ends],
    onTheWay: reasons.length > 0,
    mendable,
    isBadEnd: ends.length > 0,
  };
}

function reasonIn(seen: ReadExchange, observed: ObservedRun): string | undefined {
  const { exchange } = seen;
  if (!exchange.response) return `${describeRequest(exchange)} got no answer`;
  const { status } = exchange.response;
  if (status >= 500) return `${describeRequest(exchange)} was answered with ${status}`;
  if (seen.unclear) return `the answer to ${describeRequest(exchange)} could not be read`;
  const { at, respondedAt } = onClientClock(observed.run, exchange);
  const took_ms = Math.round(respondedAt - at);
  if (took_ms >= SLOW_MS) return `the answer to ${describeRequest(exchange)} took ${took_ms} ms`;
  if (status < 400 || status === 429) return undefined;
  // What is refused for what is wrong with it is the client's own doing.
  const byNetwork = exchange.network?.some(({ effect }) => effect === 'replaced') === true;
  return byNetwork || isGone(seen, observed)
    ? `${describeRequest(exchange)} was answered with ${status}`
    : undefined;
}

/** The task of a refused request is over, or is there no more. */
function isGone(seen: ReadExchange, { run, exchanges: all }: ObservedRun): boolean {
  const { task, exchange } = seen;
  if (task === undefined) return false;
  const status = run.tasks.find(({ id }) => id === task)?.status;
  if (status !== undefined && status !== 'running' && status !== 'waiting') return true;
  const isMissing = exchange.response?.status === 404 || exchange.response?.status === 410;
  return (
    isMissing &&
    all.some((other) => other.task === task && other.record !== undefined && other.seq < seen.seq)
  );
}

/** Counts refusals of the same request in a row. */
function limited(seen: ReadExchange, limits: Map<string, number>, observed: ObservedRun): string | undefined {
  const { exchange } = seen;
  if (exchange.response?.status !== 429 && limits.size === 0) return undefined;
  const key = `${exchange.request.method} ${seen.operation?.id} ${String(seen.sent?.id ?? '')}`;
  if (exchange.response?.status !== 429) {
    limits.delete(key);
    return undefined;
  }
  const count = (limits.get(key) ?? 0) + 1;
  limits.set(key, count);
  const { responseBody } = seen;
  const detail = responseBody.state === 'json' ? field(responseBody.value, 'detail') : undefined;
  if (typeof detail === 'string' && /credit/i.test(detail))
    return `${describeRequest(exchange)}: the credits are used up`;
  const wait_ms = 1000 * Number(seen.responseHeader('retry-after') ?? 0);
  if (wait_ms > observed.run.job.deadline_ms / 2)
    return `${describeRequest(exchange)} was limited for ${wait_ms} ms`;
  if (count >= MANY_LIMITS)
    return `${describeRequest(exchange)} was limited for the ${count}th time in a row`;
  return isHandedOn(seen, observed) ? `${describeRequest(exchange)} was answered with 429` : undefined;
}

/** The client gave up at this 429 to a create, a poll or an action, and handed it to its caller. A reply has to arrive. */
function isHandedOn(limit: ReadExchange, { gaveUp, exchanges }: ObservedRun): boolean {
  if (gaveUp === undefined || !limit.is('createTask', 'getTask', 'sendTaskEvent')) return false;
  if (limit.sent?.name === 'tool_call') return false;
  const isAgain = (other: ReadExchange) =>
    other.operation === limit.operation && other.sent?.id === limit.sent?.id && other.seq > limit.seq;
  return !exchanges.some((other) => isAgain(other) && other.ok);
}

/** The task, or an action, did not come to a good end. */
function endings({ end, statuses, actions, run }: ObservedRun): string[] {
  const found: string[] = [];
  const last = end?.status;
  if (last === 'failed' || last === 'cancelled') found.push(`the task was ${last}`);
  else if (statuses.has('failed') || statuses.has('cancelled')) found.push('the task did not end well');
  for (const { name, result } of actions.values()) {
    if (result && result.code !== 200) {
      const odd = RESULT_CODES.every((code) => code !== result.code)
        ? ', which is no code that there is'
        : '';
      found.push(`${name} came to the code ${show(result.code)}${odd} (exchange ${result.seq})`);
    }
  }
  const over =
    last !== undefined || run.tasks.some(({ status }) => status !== 'running' && status !== 'waiting');
  const waiting = [...actions.values()].find(({ result }) => result === undefined);
  const unsent = run.job.actions.length > [...actions.values()].filter(({ name }) => name !== 'close').length;
  if (over && waiting) found.push(`the task ended before ${waiting.name} had a result`);
  else if (over && unsent) found.push('the task ended before all actions were sent');
  if (run.job.cancel_after_ms !== null) found.push('the client was told to stop the task');
  return found;
}
