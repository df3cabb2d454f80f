import type { Asked } from './asked.js';
import { answers, type Between } from './make.js';
import { isRec, type Rec, type Told } from './told.js';

/** An event of a poll, as loose as a faulty service has it. */
export interface Event extends Rec {
  id: string;
  name: string;
  payload: Rec;
  timestamp: number;
}

export function eventsOf(told: Told): Event[] {
  const { events } = told.record;
  return Array.isArray(events) ? (events as Event[]) : [];
}

export function isCall(event: Event): boolean {
  return event.name === 'tool_call' && isRec(event.payload) && 'name' in event.payload;
}

export function isResult(event: Event): boolean {
  return event.name !== 'tool_call' && isRec(event.payload) && 'code' in event.payload;
}

export function isOver(task: Rec): boolean {
  return task.status === 'done' || task.status === 'failed' || task.status === 'cancelled';
}

/** Changes each event that polls tell of. */
export function eachEvent(change: (event: Event, task: Rec, asked: Asked) => void): () => Between {
  return answers('getTask', (told, asked) => {
    for (const event of eventsOf(told)) change(event, told.record, asked);
  });
}

/** Changes each call of a tool. */
export function calls(change: (call: Event, asked: Asked) => void): () => Between {
  return eachEvent((event, _task, asked) => {
    if (isCall(event)) change(event, asked);
  });
}

/** Changes each result of an action. */
export function results(change: (result: Event, asked: Asked) => void): () => Between {
  return eachEvent((event, _task, asked) => {
    if (isResult(event)) change(event, asked);
  });
}

/** What was told of the events of each task, in the order of their times. */
export class Logs {
  readonly #logs = new Map<string, Event[]>();

  /** Takes up the events of an answer and gives all that are known of the task. */
  take(asked: Asked, told: Told): readonly Event[] {
    const log = this.#logs.get(asked.task) ?? [];
    this.#logs.set(asked.task, log);
    const known = new Set(log.map(keyOf));
    for (const event of eventsOf(told)) if (!known.has(keyOf(event))) log.push({ ...event });
    return log;
  }
}

/** A result has the id of its action, which may be listed too. */
function keyOf({ id, payload }: Event): string {
  return `${id} ${isRec(payload) && 'code' in payload}`;
}

/** Chooses anew what a poll lists: gets all events of the task that were told of so far, and those that are due. */
export function listing(
  choose: (all: readonly Event[], due: Event[], asked: Asked, task: Rec) => readonly Event[],
): () => Between {
  return () => {
    const logs = new Logs();
    return async (asked, next) => {
      const told = await next(asked);
      if (!asked.is('getTask') || !told.ok) return told;
      const all = logs.take(asked, told);
      told.record.events = choose(all, eventsOf(told), asked, told.record);
      return told;
    };
  };
}
