import type { TaskSummary } from '../../mock/control/views.js';
import { type Exchange, isActive } from '../../spec/vocabulary.js';
import { toFields } from './json.js';
import { ReadExchange } from './read-exchange.js';

/** A task as its exchanges show it. `exchanges`: at least one. */
export function summarizeExchanges(id: string, exchanges: readonly Exchange[]): TaskSummary {
  const [first, ...rest] = exchanges.map((exchange) => new ReadExchange(exchange));
  return rest.reduce(continueSummary, beginSummary(id, first!));
}

export function beginSummary(id: string, exchange: ReadExchange): TaskSummary {
  const { organisation } = exchange.exchange;
  const nothing: TaskSummary = {
    ...{ id, organisation, title: '', status: 'running', kind: 'task', scenario: null },
    ...{ created_at: exchange.at, finished_at: null, polls: 0 },
  };
  return continueSummary(nothing, exchange);
}

export function continueSummary(before: TaskSummary, exchange: ReadExchange): TaskSummary {
  const status = exchange.status ?? before.status;
  const task = exchange.is('createTask') ? toFields(exchange.requestJson)?.task : undefined;
  return {
    ...before,
    ...(typeof task === 'string' && { title: task.slice(0, 200) }),
    ...(task === null && { title: 'Session', kind: 'session' }),
    status,
    scenario: before.scenario ?? exchange.exchange.scenario ?? null,
    created_at: Math.min(before.created_at, exchange.at),
    finished_at: isActive(status) ? null : (before.finished_at ?? exchange.at),
    polls: before.polls + (exchange.is('getTask') ? 1 : 0),
  };
}
