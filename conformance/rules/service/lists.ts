import { isTerminal, type TerminalStatus } from '../../../spec/vocabulary.js';
import { show } from '../../conversation/json.js';
import type { Moment, ReadExchange } from '../../conversation/read-exchange.js';
import { type Complaint, defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';
import { statusOf, tasksIn } from './tasks.js';

/** Tasks remembered. */
const MOST_TASKS = 10_000;
const DEFAULT_L = 32;

/** Lists of tasks. Sections "Tasks" and "Limits". */
export const listRules = defineRules({ side: 'service', level: 'must', scope: 'stream' }, [
  {
    id: 'lists/limit',
    requirements: ['LIMIT-01'],
    title: 'A list of tasks has at most `l` members, 32 without it.',
    start: limit,
  },
  {
    id: 'lists/once',
    requirements: ['TASK-15'],
    title: 'A list names each task once.',
    check: (exchange) => {
      if (!exchange.is('listTasks')) return undefined;
      const ids = tasksIn(exchange).map(({ id }) => id);
      const seen = new Set<unknown>();
      const twice = ids.find((id) => typeof id === 'string' && seen.size === seen.add(id).size);
      if (twice !== undefined) return { message: `A list of tasks names ${show(twice)} twice.` };
      return ids.length > 1 ? 'kept' : undefined;
    },
  },
  {
    id: 'lists/status',
    requirements: ['TASK-15'],
    title: 'A list shows the status that a task has.',
    start: sameStatus,
  },
]);

function limit({ kept }: RuleContext): Watcher {
  const known = new Set<string>();
  return {
    see(exchange) {
      const tasks = tasksIn(exchange);
      const { organisation } = exchange.exchange;
      const l = exchange.is('listTasks') ? limitOf(exchange) : undefined;
      // Full, and there are more: without the limit they would have been there.
      if (tasks.length === l && countOf(known, organisation) > l) kept(exchange.seq);
      for (const { id } of tasks) {
        if (typeof id === 'string' && known.size < MOST_TASKS) known.add(`${organisation} ${id}`);
      }
      if (l === undefined || tasks.length <= l) return undefined;
      const asked = exchange.query.has('l') ? `with l=${l}` : 'without l';
      const message = `GET /task ${asked} was answered with ${tasks.length} tasks: it has to be at most ${l}.`;
      return { message, about: String(l) };
    },
  };
}

function countOf(known: ReadonlySet<string>, organisation: string): number {
  let count = 0;
  for (const key of known) if (key.startsWith(`${organisation} `)) count++;
  return count;
}

/** Undefined for one that has to be refused. */
function limitOf(exchange: ReadExchange): number | undefined {
  const text = exchange.query.get('l');
  if (text === null) return DEFAULT_L;
  const l = /^\d+$/.test(text) ? Number(text) : 0;
  return l >= 1 && l <= 128 ? l : undefined;
}

function sameStatus({ kept }: RuleContext): Watcher {
  const ended = new Map<string, Moment & { status: TerminalStatus }>();
  function check(exchange: ReadExchange): Judgement {
    const complaints: Complaint[] = [];
    for (const task of tasksIn(exchange)) {
      const end = ended.get(keyOf(exchange, task.id));
      const status = statusOf(task);
      if (!end || !status || !exchange.couldKnow(end)) continue;
      if (status === end.status) {
        kept(exchange.seq);
        continue;
      }
      const message = `The task ${show(task.id)} is listed as "${status}" after exchange ${end.seq} had shown that it is "${end.status}".`;
      complaints.push({ message, evidence: [end.seq, exchange.seq], about: String(task.id) });
    }
    return complaints;
  }
  return {
    see(exchange) {
      if (exchange.is('listTasks')) return check(exchange);
      const { status } = exchange;
      if (!exchange.is('getTask') || !status || !isTerminal(status)) return undefined;
      const key = keyOf(exchange, exchange.task);
      if (!ended.has(key) && ended.size < MOST_TASKS) ended.set(key, { ...exchange.moment, status });
      return undefined;
    },
  };
}

function keyOf({ exchange }: ReadExchange, id: unknown): string {
  return JSON.stringify([exchange.organisation, id]);
}
