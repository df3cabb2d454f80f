import type { Organisation } from '../../mock/engine/organisation.js';
import { toExchange } from '../../mock/exchange/journal-entry.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import { beginSummary, type ConversationSummary, continueSummary } from '../conversation/task-summary.js';

/** Tasks of one organisation that are remembered: beyond it, those that became known first are forgotten. */
const MOST_TASKS = 20_000;

/** The tasks of one organisation as the exchanges that passed show them. Each exchange is read once, when it is asked for. */
class ProxiedTasks {
  /** The objects do not change: a task that goes on gets another. */
  readonly #byId = new Map<string, ConversationSummary>();
  #seq = 0;
  #open: ReadonlySet<number> = new Set();

  constructor(private readonly organisation: Organisation) {}

  /** As they are now, in the order in which they became known. */
  read(): ReadonlyMap<string, ConversationSummary> {
    const { journal, name } = this.organisation;
    const news = journal.since(this.#seq, this.#open);
    for (const entry of news)
      if (entry.isOver && entry.task !== undefined)
        this.#add(entry.task, new ReadExchange(toExchange(entry, name)));
    this.#seq = journal.seq;
    this.#open = new Set(news.filter(({ isOver }) => !isOver).map(({ seq }) => seq));
    return this.#byId;
  }

  #add(id: string, exchange: ReadExchange): void {
    const before = this.#byId.get(id);
    // The id in a path may be of no task: only a success shows that there is one.
    if (!before && !exchange.ok) return;
    this.#byId.set(id, before ? continueSummary(before, exchange) : beginSummary(id, exchange));
    if (this.#byId.size > MOST_TASKS) this.#byId.delete(this.#byId.keys().next().value!);
  }
}

const tasksByOrganisation = new WeakMap<Organisation, ProxiedTasks>();

function openProxiedTasks(organisation: Organisation): ProxiedTasks {
  const tasks = tasksByOrganisation.get(organisation) ?? new ProxiedTasks(organisation);
  tasksByOrganisation.set(organisation, tasks);
  return tasks;
}

/** Undefined where no exchange is about the task. */
export function summarizeTask(organisation: Organisation, id: string): ConversationSummary | undefined {
  return openProxiedTasks(organisation).read().get(id);
}

/** All tasks of the organisation, the oldest first. */
export function summarizeTasks(organisation: Organisation): ConversationSummary[] {
  return [...openProxiedTasks(organisation).read().values()];
}
