import { compareByEnd, type ReadExchange } from './read-exchange.js';
import { TaskConversation } from './task-conversation.js';

/** A complete list of exchanges between a client and a service. */
export class Conversation {
  /** In the order in which the requests arrived. */
  readonly exchanges: readonly ReadExchange[];
  #bySeq: ReadonlyMap<number, ReadExchange> | undefined;

  constructor(
    exchanges: readonly ReadExchange[],
    /** By id. */
    readonly tasks: ReadonlyMap<string, TaskConversation> = readTasks(exchanges),
  ) {
    this.exchanges = [...exchanges].sort((one, other) => one.seq - other.seq);
  }

  findExchange(seq: number): ReadExchange | undefined {
    this.#bySeq ??= new Map(this.exchanges.map((each) => [each.seq, each]));
    return this.#bySeq.get(seq);
  }
}

function readTasks(exchanges: readonly ReadExchange[]): Map<string, TaskConversation> {
  const tasks = new Map<string, TaskConversation>();
  for (const exchange of [...exchanges].sort(compareByEnd)) {
    const { task: id } = exchange;
    if (id === undefined) continue;
    const task = tasks.get(id) ?? new TaskConversation();
    tasks.set(id, task);
    task.observe(exchange);
  }
  return tasks;
}
