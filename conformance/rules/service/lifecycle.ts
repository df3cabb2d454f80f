import { isTerminal } from '../../../spec/vocabulary.js';
import { field, fingerprint, isUrl, show } from '../../conversation/json.js';
import type { Moment, ReadExchange } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import { type Complaint, defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';

/** For how long a task that nobody deleted has to be there, ms. How long it is kept is left open. */
const KEPT_MS = 60_000;

/** Tasks remembered. */
const MOST_TASKS = 10_000;

/** A live address has to be there after so many answers over so long a time, ms. */
const LIVE_POLLS = 3;
const LIVE_MS = 60_000;

/** What becomes of a task in the course of its life. Sections "Task" and "States and transitions". */
export const lifeRules = defineRules({ side: 'service', level: 'must', scope: 'task' }, [
  {
    scope: 'stream',
    id: 'lifecycle/own-id',
    requirements: ['TASK-01'],
    title: 'Each new task has an id of its own.',
    start: ownId,
  },
  {
    id: 'lifecycle/known',
    requirements: ['TASK-01'],
    title: 'The id of a task is accepted wherever a path names it.',
    start: known,
  },
  {
    id: 'lifecycle/live-url',
    requirements: ['TASK-06'],
    title: 'A running task has its live address.',
    start: liveUrl,
  },
  {
    id: 'lifecycle/end-stays',
    requirements: ['POLL-08'],
    title: 'A task that is over stays as it ended.',
    check: endStays,
  },
  {
    id: 'lifecycle/output-stays',
    requirements: ['POLL-08'],
    title: 'The output of a task that is over does not change.',
    start: outputStays,
  },
  {
    id: 'lifecycle/visibility',
    requirements: ['TASK-20'],
    title: 'The visibility that was set is the one that is read.',
    start: visibility,
  },
]);

function ownId({ kept }: RuleContext): Watcher {
  const known = new Map<string, Moment>();
  return {
    see(exchange) {
      const { task } = exchange;
      if (!exchange.is('createTask') || !exchange.ok || task === undefined) return undefined;
      const key = JSON.stringify([exchange.exchange.organisation, task]);
      const before = known.get(key);
      if (!before) {
        if (known.size > 0) kept(exchange.seq);
        if (known.size < MOST_TASKS) known.set(key, exchange.moment);
        return undefined;
      }
      if (!exchange.couldKnow(before)) return undefined;
      const message = `Two new tasks have the id ${show(task)}: each needs one of its own.`;
      return { message, evidence: [before.seq, exchange.seq] };
    },
  };
}

function known({ task, kept }: RuleContext): Watcher {
  let shown: Moment | undefined;
  function check(exchange: ReadExchange): Judgement {
    const names = exchange.is('getTask', 'getTaskVisibility', 'setTaskVisibility');
    if (!names) return undefined;
    if (exchange.ok && shown) kept(exchange.seq);
    // After a stop it is the stop's matter.
    if (exchange.httpStatus !== 404 || task.stop || !shown || !exchange.couldKnow(shown)) return undefined;
    if (exchange.at - shown.respondedAt > KEPT_MS) return undefined;
    const message = `${exchange.operation?.method} ${exchange.operation?.path} was answered with 404 for the task ${show(exchange.task)}, which exchange ${shown.seq} has shown.`;
    return { message, evidence: [shown.seq, exchange.seq], about: exchange.operation?.id ?? '' };
  }
  return {
    see(exchange) {
      const complaints = check(exchange);
      const shows = exchange.is('createTask', 'getTask') && exchange.record !== undefined;
      if (shows) shown = exchange.moment;
      return complaints;
    },
  };
}

function liveUrl({ task, kept }: RuleContext): Watcher {
  let shown: Moment | undefined;
  const without: { seq: number; at: number }[] = [];
  function check(exchange: ReadExchange): Judgement {
    if (!exchange.is('createTask', 'getTask') || exchange.status !== 'running' || task.stop) return undefined;
    const url = field(exchange.record, 'live_url');
    if (isUrl(url)) {
      kept(exchange.seq);
      shown ??= exchange.moment;
      return undefined;
    }
    if (url !== undefined && url !== null && url !== '') {
      const message = `The live_url of a running task is ${show(url)}: it has to be a URL.`;
      return { message };
    }
    without.push({ seq: exchange.seq, at: exchange.respondedAt });
    if (without.length > LIVE_POLLS) without.splice(LIVE_POLLS - 1, 1);
    if (!shown || !exchange.couldKnow(shown)) return undefined;
    const message = `A running task has ${show(url)} for its live_url, which exchange ${shown.seq} did show.`;
    return { message, evidence: [shown.seq, exchange.seq] };
  }
  return {
    see(exchange) {
      return check(exchange);
    },
    end() {
      const [first, last] = [without[0], without.at(-1)];
      if (shown || !first || !last || without.length < LIVE_POLLS || last.at - first.at < LIVE_MS)
        return undefined;
      const message = `A task that was running for ${last.at - first.at} ms never had a live_url: it may be null at first, not for good.`;
      return { message, evidence: without.map(({ seq }) => seq) };
    },
  };
}

function endStays(exchange: ReadExchange, { end }: TaskConversation): Judgement {
  const { status } = exchange;
  if (!exchange.is('getTask') || !status || !end || !exchange.couldKnow(end)) return undefined;
  if (status === end.status) return 'kept';
  const message = `The task was "${end.status}" in the response to exchange ${end.seq} and is "${status}" afterwards: the end is for good.`;
  return { message, evidence: [end.seq, exchange.seq] };
}

function outputStays({ task }: RuleContext): Watcher {
  let first: (Moment & { print: string }) | undefined;
  function check(exchange: ReadExchange): Judgement {
    const { status, record } = exchange;
    if (!exchange.is('getTask') || !status || !isTerminal(status) || task.isDataDeleted) return undefined;
    const output = field(record, 'output') ?? null;
    const print = fingerprint(output);
    if (!first) {
      // What comes a little after the status is let pass: nothing is said about it.
      if (output !== null) first = { ...exchange.moment, print };
      return undefined;
    }
    if (!exchange.couldKnow(first)) return undefined;
    if (print === first.print) return 'kept';
    const message = `The output of a task that is over changed to ${show(output)} after exchange ${first.seq} had shown another.`;
    return { message, evidence: [first.seq, exchange.seq] };
  }
  return { see: check };
}

function visibility({ kept }: RuleContext): Watcher {
  let set: (Moment & { value: boolean }) | undefined;
  let refuted: { respondedAt: number; complaint: Complaint }[] = [];
  function take(exchange: ReadExchange): void {
    const { at } = exchange.exchange.request;
    // One that was under way may have been in effect already.
    refuted = refuted.filter(({ respondedAt }) => respondedAt < at);
    const text = exchange.query.get('visibility') ?? '';
    const value = /^(?:true|1)$/i.test(text) ? true : /^(?:false|0)$/i.test(text) ? false : undefined;
    const isClear = !set || exchange.couldKnow(set);
    set = exchange.ok && value !== undefined && isClear ? { ...exchange.moment, value } : undefined;
  }
  function check(exchange: ReadExchange): void {
    const read = exchange.unclear ? undefined : visibilityIn(exchange);
    if (!exchange.ok || read === undefined || !set || !exchange.couldKnow(set)) return;
    if (read === set.value) {
      kept(exchange.seq);
      return;
    }
    const message = `The visibility of the task was set to ${set.value} and is read as ${read}.`;
    refuted.push({
      respondedAt: exchange.respondedAt,
      complaint: { message, evidence: [set.seq, exchange.seq] },
    });
  }
  return {
    see(exchange) {
      if (exchange.is('setTaskVisibility') && !exchange.isRefused) take(exchange);
      else if (exchange.is('getTaskVisibility')) check(exchange);
      return undefined;
    },
    end: () => refuted.map(({ complaint }) => complaint),
  };
}

function visibilityIn({ responseBody }: ReadExchange): boolean | undefined {
  const r = responseBody.state === 'json' ? field(responseBody.value, 'r') : undefined;
  return typeof r === 'boolean' ? r : undefined;
}
