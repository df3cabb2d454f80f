import { isTerminal } from '../../../spec/vocabulary.js';
import { isSameJson, isUrl, readField, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules, type RuleFinding } from '../rule.js';
import { IDLE_MS } from './sessions.js';

/** Time for which a task has to exist, unless its data were deleted, ms. The API does not state how long tasks are kept. */
const KEPT_MS = 60_000;
/** Most tasks remembered. */
const MOST_TASKS = 10_000;
/** A live URL has to exist after this many responses over this time, ms. */
const LIVE_POLLS = 3;
const LIVE_MS = 60_000;
/** Time within which a stopped task has to show it, ms. */
const STOPS_WITHIN_MS = 5000;

/** Changes of a task over time. Sections "Task" and "States and transitions". */
export const lifecycleRules = defineRules('service', 'task', 'all', {
  'lifecycle/own-id': {
    scope: 'stream',
    requirements: ['TASK-01'],
    title: 'Each new task has an id of its own.',
    only: ['createTask'],
    start: () => {
      const known = new Map<string, ReadExchange>();
      return (exchange) => {
        const { task } = exchange;
        if (!exchange.ok || task === undefined) return undefined;
        const key = JSON.stringify([exchange.exchange.organisation, task]);
        const before = known.get(key);
        if (!before) {
          if (known.size < MOST_TASKS) known.set(key, exchange);
          return known.size > 1 ? 'kept' : undefined;
        }
        if (!exchange.isAfter(before)) return undefined;
        const message = `Two new tasks have the id ${show(task)}: each needs one of its own.`;
        return { message, evidence: [before.seq, exchange.seq] };
      };
    },
  },
  'lifecycle/known': {
    requirements: ['TASK-01'],
    title: 'The id of a task is accepted wherever a path names it.',
    needs: ['requests'],
    only: ['getTask', 'getTaskVisibility', 'setTaskVisibility'],
    check: (exchange, { latest: shown, stop }) => {
      if (!shown) return undefined;
      if (exchange.ok) return 'kept';
      // After a stop, another rule applies.
      if (exchange.httpStatus !== 404 || stop || !exchange.isAfter(shown)) return undefined;
      if (exchange.measureMaxSince(shown) > KEPT_MS) return undefined;
      const message = `${exchange.operationName} got 404 for the task ${show(exchange.task)}, which exchange ${shown.seq} has shown.`;
      return { message, evidence: [shown.seq, exchange.seq], about: exchange.operationName };
    },
  },
  'lifecycle/live-url': {
    requirements: ['TASK-06'],
    title: 'A running task has its live address.',
    needs: ['requests', 'events'],
    only: ['createTask', 'getTask'],
    start: ({ task }) => {
      let shown: ReadExchange | undefined;
      const without: ReadExchange[] = [];
      return {
        observe(exchange) {
          if (exchange.status !== 'running' || task.stop) return undefined;
          const url = exchange.record?.live_url;
          if (isUrl(url)) {
            shown ??= exchange;
            return 'kept';
          }
          if ((url ?? '') !== '') return undefined;
          without.push(exchange);
          if (without.length > LIVE_POLLS) without.splice(LIVE_POLLS - 1, 1);
          if (!shown || !exchange.isAfter(shown)) return undefined;
          const message = `A running task has ${show(url)} for its live_url, which exchange ${shown.seq} did show.`;
          return { message, evidence: [shown.seq, exchange.seq] };
        },
        conclude() {
          if (shown || without.length < LIVE_POLLS) return [];
          const runMs = without.at(-1)!.measureMinUntilResponse(without[0]!);
          if (runMs < LIVE_MS) return [];
          const message = `A task that was running for ${runMs} ms never had a live_url: it may be null at first, not for good.`;
          return [{ message, evidence: without.map(({ seq }) => seq) }];
        },
      };
    },
  },
  'lifecycle/end-stays': {
    requirements: ['POLL-08'],
    title: 'A task that is over stays as it ended.',
    only: ['getTask'],
    check: (exchange, { end }) => {
      const { status } = exchange;
      if (!status || !end || !exchange.isAfter(end)) return undefined;
      if (status === end.status) return 'kept';
      const message = `The task was "${end.status}" in the response to exchange ${end.seq} and is "${status}" afterwards: the end is for good.`;
      return { message, evidence: [end.seq, exchange.seq] };
    },
  },
  'lifecycle/output-stays': {
    requirements: ['POLL-08'],
    title: 'The output of a task that is over does not change.',
    needs: ['one-client'],
    only: ['getTask'],
    start: ({ task }) => {
      let first: ReadExchange | undefined;
      return (exchange) => {
        const { status, record } = exchange;
        if (!status || !isTerminal(status) || task.isDataDeleted) return undefined;
        const output = record?.output ?? null;
        // An output that appears shortly after the terminal status is allowed: the API states nothing about it.
        if (output !== null) first ??= exchange;
        if (!first || !exchange.isAfter(first)) return undefined;
        if (isSameJson(output, first.record?.output)) return 'kept';
        const message = `The output of a task that is over changed to ${show(output)} after exchange ${first.seq} had shown another.`;
        return { message, evidence: [first.seq, exchange.seq] };
      };
    },
  },
  'lifecycle/visibility': {
    requirements: ['TASK-20'],
    title: 'The visibility that was set is the one that is read.',
    needs: ['one-client'],
    only: ['getTaskVisibility', 'setTaskVisibility'],
    start: ({ task }) => {
      let set: { exchange: ReadExchange; value: boolean } | undefined;
      let refuted: (RuleFinding & { respondedAt: number })[] = [];
      return {
        observe(exchange) {
          const { ok, at, seq, query } = exchange;
          const isKnown = !set || exchange.isAfter(set.exchange);
          if (exchange.is('setTaskVisibility')) {
            if (exchange.isRefused) return undefined;
            // A pending request may already have taken effect.
            refuted = refuted.filter(({ respondedAt }) => respondedAt < at);
            const text = query.get('visibility') ?? '';
            const isReadable = /^(true|false|1|0)$/i.test(text);
            set = ok && isReadable && isKnown ? { exchange, value: /^(true|1)$/i.test(text) } : undefined;
            return undefined;
          }
          const read = ok ? readField(exchange.responseJson, 'r') : undefined;
          // The visibility may be among the data of the task.
          if (typeof read !== 'boolean' || !set || !isKnown || task.isDataDeleted) return undefined;
          if (read === set.value) return 'kept';
          const message = `The visibility of the task was set to ${set.value} and is read as ${read}.`;
          refuted.push({ message, evidence: [set.exchange.seq, seq], respondedAt: exchange.respondedAt });
          return undefined;
        },
        conclude: () => refuted,
      };
    },
  },
  'stops/cancelled': {
    requirements: ['TASK-13'],
    title: 'A running task that is deleted is cancelled from then on.',
    needs: ['requests'],
    only: ['getTask'],
    start: ({ task }) => {
      let stillActive: ReadExchange | undefined;
      return (exchange) => {
        const { cancelled: stop } = task;
        if (!stop || !task.wasCancelledActive || !exchange.isAfter(stop) || task.isDataDeleted)
          return undefined;
        const { status, httpStatus } = exchange;
        const createFinding = (what: string): RuleFinding => ({
          message: `The task was stopped by DELETE and ${what}.`,
          evidence: [stop.seq, ...(stillActive ? [stillActive.seq] : []), exchange.seq],
          about: 'stop',
        });
        const afterMs = exchange.measureMinSince(stop);
        if (httpStatus === 404 && afterMs <= KEPT_MS)
          return createFinding('is not to be found any more: it has to be "cancelled"');
        if (status === undefined) return undefined;
        if (status === 'cancelled') return 'kept';
        if (isTerminal(status)) {
          // A task that waits for the client cannot have ended by itself just before, but the service may stop waiting.
          const isWaiting = task.isSession || task.openCalls.size > 0;
          const isCertain = task.stop === stop && isWaiting && task.shownBeforeCancelMs <= IDLE_MS;
          return stillActive || isCertain
            ? createFinding(`is "${status}": it has to be "cancelled"`)
            : undefined;
        }
        stillActive ??= exchange;
        return afterMs >= STOPS_WITHIN_MS ? createFinding(`is "${status}" ${afterMs} ms later`) : undefined;
      };
    },
  },
  'stops/accepted': {
    requirements: ['TASK-17'],
    title: 'DELETE stops the task that the path names.',
    only: ['deleteTask', 'getTask'],
    start: ({ task, reportKept: kept }) => {
      let refused: ReadExchange | undefined;
      return (exchange) => {
        const { status } = exchange;
        if (exchange.is('deleteTask') && exchange.isRefused && task.wasActive(exchange)) refused ??= exchange;
        if (!exchange.is('getTask') || status === undefined) return undefined;
        const { cancelled: stop, wasCancelledActive } = task;
        if (stop && wasCancelledActive && status === 'cancelled' && exchange.isAfter(stop)) kept(stop.seq);
        if (!refused || isTerminal(status) || !exchange.isAfter(refused)) return undefined;
        const message = `DELETE of the task ${show(exchange.task)} got ${refused.httpStatus}, and the task is still "${status}": an active task has to be stopped.`;
        return { message, evidence: [refused.seq, exchange.seq], about: 'refused' };
      };
    },
  },
});
