import { byEnd, type ReadExchange } from './read-exchange.js';
import { TaskConversation } from './task-conversation.js';

/** What passed between a client and a service, from exchanges that are all there. */
export class Conversation {
  /** In the order in which the requests arrived. */
  readonly exchanges: readonly ReadExchange[];
  /** By id. */
  readonly tasks: ReadonlyMap<string, TaskConversation>;
  readonly #bySeq: ReadonlyMap<number, ReadExchange>;

  /** `tasks`: if they were read from these exchanges before. */
  constructor(exchanges: readonly ReadExchange[], tasks?: ReadonlyMap<string, TaskConversation>) {
    this.exchanges = [...exchanges].sort((one, other) => one.seq - other.seq);
    this.#bySeq = new Map(exchanges.map((exchange) => [exchange.seq, exchange]));
    this.tasks = tasks ?? readTasks(exchanges);
  }

  exchange(seq: number): ReadExchange | undefined {
    return this.#bySeq.get(seq);
  }
}

function readTasks(exchanges: readonly ReadExchange[]): Map<string, TaskConversation> {
  const tasks = new Map<string, TaskConversation>();
  for (const exchange of [...exchanges].sort(byEnd)) {
    const { task: id } = exchange;
    if (id === undefined) continue;
    const task = tasks.get(id) ?? new TaskConversation();
    tasks.set(id, task);
    task.see(exchange);
  }
  return tasks;
}
