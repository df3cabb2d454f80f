import { isTerminal } from '../../../spec/vocabulary.js';
import { show } from '../../conversation/json.js';
import type { Moment, ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';

/** A task that was stopped may take so long to show it, ms. */
const STOPS_WITHIN_MS = 5000;

/** A stopped task has to be there for so long at least, ms. */
const KEPT_MS = 60_000;

/** DELETE of a task. Section "States and transitions". */
export const stopRules = defineRules({ side: 'service', level: 'must', scope: 'task' }, [
  {
    id: 'stops/cancelled',
    requirements: ['TASK-13'],
    title: 'A running task that is deleted is cancelled from then on.',
    start: cancelled,
  },
  {
    id: 'stops/taken',
    requirements: ['TASK-17'],
    title: 'DELETE stops the task that the path names.',
    start: taken,
  },
]);

type Stop = Moment & { certain: boolean };

function cancelled({ task, kept }: RuleContext): Watcher {
  let stop: Stop | undefined;
  let ranOn: Moment | undefined;
  /** It cannot have ended by itself just before: it waits for the client. */
  function waits(): boolean {
    if (task.stop) return false;
    if (task.creation?.isSession) return true;
    return [...task.calls.keys()].some((id) => !task.replyTo(id));
  }
  function check(exchange: ReadExchange): Judgement {
    if (!exchange.is('getTask') || !stop || !exchange.couldKnow(stop) || task.isDataDeleted) return undefined;
    const evidence = [stop.seq, ...(ranOn ? [ranOn.seq] : []), exchange.seq];
    const afterMs = exchange.at - stop.respondedAt;
    const { status } = exchange;
    if (exchange.httpStatus === 404 && afterMs <= KEPT_MS)
      return say('is not to be found any more: it has to be "cancelled"', evidence);
    if (status === undefined) return undefined;
    if (status === 'cancelled') kept(exchange.seq);
    else if (!isTerminal(status)) {
      ranOn ??= exchange.moment;
      if (afterMs >= STOPS_WITHIN_MS) return say(`is "${status}" ${afterMs} ms later`, evidence);
    } else if (ranOn || stop.certain) return say(`is "${status}": it has to be "cancelled"`, evidence);
    return undefined;
  }
  return {
    see(exchange) {
      const complaints = check(exchange);
      const stops = exchange.is('deleteTask') && exchange.ok;
      if (stops && !stop && task.wasActive(exchange)) stop = { ...exchange.moment, certain: waits() };
      return complaints;
    },
  };
}

function say(what: string, evidence: number[]): Judgement {
  return { message: `The task was stopped by DELETE and ${what}.`, evidence, about: 'stop' };
}

function taken({ task, kept }: RuleContext): Watcher {
  let refused: (Moment & { status: number }) | undefined;
  let stop: Moment | undefined;
  function check(exchange: ReadExchange): Judgement {
    const { status } = exchange;
    if (!exchange.is('getTask') || status === undefined) return undefined;
    if (stop && status === 'cancelled' && exchange.couldKnow(stop)) kept(stop.seq);
    if (!refused || isTerminal(status) || !exchange.couldKnow(refused)) return undefined;
    const message = `DELETE of the task ${show(exchange.task)} was answered with ${refused.status}, and the task goes on as "${status}": an active task has to be stopped.`;
    return { message, evidence: [refused.seq, exchange.seq], about: 'refused' };
  }
  return {
    see(exchange) {
      const complaints = check(exchange);
      if (exchange.is('deleteTask') && task.wasActive(exchange)) {
        if (exchange.ok) stop ??= exchange.moment;
        else if (exchange.isRefused) refused ??= { ...exchange.moment, status: exchange.httpStatus };
      }
      return complaints;
    },
  };
}
