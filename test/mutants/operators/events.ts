import { changeResponses, type Interception } from './make.js';
import type { MutantRequest } from './mutant-request.js';
import { isRecord, type LooseRecord, type MutantResponse } from './mutant-response.js';

/** An event of a poll, as loose as a faulty service has it. */
export interface Event extends LooseRecord {
  id: string;
  name: string;
  payload: LooseRecord;
  timestamp: number;
}

export function eventsOf(response: MutantResponse): Event[] {
  const { events } = response.record;
  return Array.isArray(events) ? (events as Event[]) : [];
}

export function isCall(event: Event): boolean {
  return event.name === 'tool_call' && isRecord(event.payload) && 'name' in event.payload;
}

export function isResult(event: Event): boolean {
  return event.name !== 'tool_call' && isRecord(event.payload) && 'code' in event.payload;
}

export function isOver(task: LooseRecord): boolean {
  return task.status === 'done' || task.status === 'failed' || task.status === 'cancelled';
}

/** Changes each event that polls tell of. */
export function changeEvents(
  change: (event: Event, task: LooseRecord, request: MutantRequest) => void,
): () => Interception {
  return changeResponses('getTask', (response, request) => {
    for (const event of eventsOf(response)) change(event, response.record, request);
  });
}

/** Changes each call of a tool. */
export function changeCalls(change: (call: Event, request: MutantRequest) => void): () => Interception {
  return changeEvents((event, _task, request) => {
    if (isCall(event)) change(event, request);
  });
}

/** Changes each result of an action. */
export function changeResults(change: (result: Event, request: MutantRequest) => void): () => Interception {
  return changeEvents((event, _task, request) => {
    if (isResult(event)) change(event, request);
  });
}

/** What was told of the events of each task, in the order of their times. */
export class Logs {
  readonly #logs = new Map<string, Event[]>();

  /** Takes up the events of an answer and gives all that are known of the task. */
  take(request: MutantRequest, response: MutantResponse): readonly Event[] {
    const log = this.#logs.get(request.task) ?? [];
    this.#logs.set(request.task, log);
    const known = new Set(log.map(keyOf));
    for (const event of eventsOf(response)) if (!known.has(keyOf(event))) log.push({ ...event });
    return log;
  }
}

/** A result has the id of its action, which may be listed too. */
function keyOf({ id, payload }: Event): string {
  return `${id} ${isRecord(payload) && 'code' in payload}`;
}

/** Chooses anew what a poll lists: gets all events of the task that were told of so far, and those that are due. */
export function changeEventLists(
  choose: (
    all: readonly Event[],
    due: Event[],
    request: MutantRequest,
    task: LooseRecord,
  ) => readonly Event[],
): () => Interception {
  return () => {
    const logs = new Logs();
    return async (request, next) => {
      const response = await next(request);
      if (!request.is('getTask') || !response.ok) return response;
      const all = logs.take(request, response);
      response.record.events = choose(all, eventsOf(response), request, response.record);
      return response;
    };
  };
}
