import { changeResponses, type Interception } from './make.js';
import type { MutantRequest } from './mutant-request.js';
import { isRecord, type LooseRecord, type MutantResponse } from './mutant-response.js';

/** An event of a poll, as loose as a faulty service has it. */
export interface LooseEvent extends LooseRecord {
  id: string;
  name: string;
  payload: LooseRecord;
  timestamp: number;
}

export function listEvents(response: MutantResponse): LooseEvent[] {
  const { events } = response.record;
  return Array.isArray(events) ? (events as LooseEvent[]) : [];
}

export function isCall(event: LooseEvent): boolean {
  return event.name === 'tool_call' && isRecord(event.payload) && 'name' in event.payload;
}

export function isResult(event: LooseEvent): boolean {
  return event.name !== 'tool_call' && isRecord(event.payload) && 'code' in event.payload;
}

export function isOver(task: LooseRecord): boolean {
  return task.status === 'done' || task.status === 'failed' || task.status === 'cancelled';
}

/** Changes each event that polls tell of. */
export function changeEvents(
  change: (event: LooseEvent, task: LooseRecord, request: MutantRequest) => void,
): () => Interception {
  return changeResponses('getTask', (response, request) => {
    for (const event of listEvents(response)) change(event, response.record, request);
  });
}

/** Changes each call of a tool. */
export function changeCalls(change: (call: LooseEvent, request: MutantRequest) => void): () => Interception {
  return changeEvents((event, _task, request) => {
    if (isCall(event)) change(event, request);
  });
}

/** Changes each result of an action. */
export function changeResults(
  change: (result: LooseEvent, request: MutantRequest) => void,
): () => Interception {
  return changeEvents((event, _task, request) => {
    if (isResult(event)) change(event, request);
  });
}

/** What was told of the events of each task, in the order of their times. */
export class EventLogs {
  readonly #logs = new Map<string, LooseEvent[]>();

  /** Takes up the events of an answer and gives all that are known of the task. */
  addEvents(request: MutantRequest, response: MutantResponse): readonly LooseEvent[] {
    const log = this.#logs.get(request.task) ?? [];
    this.#logs.set(request.task, log);
    const known = new Set(log.map(formatEventKey));
    for (const event of listEvents(response)) if (!known.has(formatEventKey(event))) log.push({ ...event });
    return log;
  }
}

/** A result has the id of its action, which may be listed too. */
function formatEventKey({ id, payload }: LooseEvent): string {
  return `${id} ${isRecord(payload) && 'code' in payload}`;
}

/** Chooses anew what a poll lists: gets all events of the task that were told of so far, and those that are due. */
export function changeEventLists(
  choose: (
    all: readonly LooseEvent[],
    due: LooseEvent[],
    request: MutantRequest,
    task: LooseRecord,
  ) => readonly LooseEvent[],
): () => Interception {
  return () => {
    const logs = new EventLogs();
    return async (request, next) => {
      const response = await next(request);
      if (!request.is('getTask') || !response.ok) return response;
      const all = logs.addEvents(request, response);
      response.record.events = choose(all, listEvents(response), request, response.record);
      return response;
    };
  };
}
