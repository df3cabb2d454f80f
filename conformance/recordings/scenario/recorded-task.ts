import { groupBy } from '../../../spec/lists.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { Conversation } from '../../conversation/conversation.js';
import { writeCanonicalJson } from '../../conversation/json.js';
import { compareByEnd, ReadExchange } from '../../conversation/read-exchange.js';
import { TaskConversation } from '../../conversation/task-conversation.js';

/** All recorded exchanges of one task. */
export interface RecordedTask {
  /** Undefined if no response contains it. */
  id: string | undefined;
  organisation: string;
  /** The attempts to create it; the last one succeeded. */
  creates: ReadExchange[];
  /** All requests about the task, ordered by their start. */
  exchanges: ReadExchange[];
  task: TaskConversation;
}

/** `tasks` are ordered by creation; `headless` are ids of tasks whose creation is not recorded. */
export function readRecordedTasks(exchanges: readonly Exchange[]): {
  tasks: RecordedTask[];
  headless: string[];
} {
  const tasks: RecordedTask[] = [];
  const headless: string[] = [];
  for (const [organisation, own] of groupBy(exchanges, (each) => each.organisation)) {
    const read = own.map((each) => new ReadExchange(each));
    const conversation = new Conversation(read);
    const failed = new FailedCreates(read);
    const byTask = groupBy(read, (each) => each.task);
    const listExchanges = (id: string) => byTask.get(id) ?? [];
    for (const [id, task] of conversation.tasks) {
      if (task.creation === undefined) {
        // If only a create without a response names the task, a proxy or a mock knew its id.
        if (!listExchanges(id).some((each) => each.is('createTask'))) headless.push(id);
        continue;
      }
      const creates = [...failed.removeBefore(task.creation), task.creation];
      const others = listExchanges(id).filter((each) => !each.is('createTask'));
      tasks.push({ id, organisation, creates, exchanges: [...creates, ...others].sort(compareSeq), task });
    }
    for (const creates of failed.listRest())
      tasks.push({ id: undefined, organisation, creates, exchanges: creates, task: readTask(creates) });
  }
  tasks.sort((one, other) => one.creates[0]!.at - other.creates[0]!.at);
  return { tasks, headless };
}

function readTask(exchanges: readonly ReadExchange[]): TaskConversation {
  const task = new TaskConversation();
  for (const exchange of [...exchanges].sort(compareByEnd)) task.observe(exchange);
  return task;
}

const compareSeq = (one: ReadExchange, other: ReadExchange) => one.seq - other.seq;

/** Creates without a task that the client knows of. */
class FailedCreates {
  /** By their body, ordered by their start. */
  readonly #open: ReadonlyMap<string, ReadExchange[]>;

  constructor(read: readonly ReadExchange[]) {
    const failed = read.filter((each) => each.is('createTask') && (!each.ok || each.unclear));
    this.#open = groupBy(failed.sort(compareSeq), (each) => writeCanonicalJson(each.requestJson));
  }

  /** Removes the creates that this one repeats. */
  removeBefore(creation: ReadExchange): ReadExchange[] {
    const open = this.#open.get(writeCanonicalJson(creation.requestJson)) ?? [];
    const later = open.findIndex(({ seq }) => seq > creation.seq);
    return open.splice(0, later === -1 ? open.length : later);
  }

  /** Creates that were not refused, by their body. */
  listRest(): ReadExchange[][] {
    return [...this.#open.values()]
      .map((open) => open.filter((each) => !each.isRefused && each.requestJson !== undefined))
      .filter((open) => open.length > 0);
  }
}
