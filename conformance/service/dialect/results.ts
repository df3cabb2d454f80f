import type { DialectChoices } from '../../../spec/generated/documents.js';
import type { TaskEvent } from '../../../spec/vocabulary.js';
import { field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { codeOf } from '../test-case/read-task.js';

/** Results of an action among events; an echo has no code. */
export function resultsOf(events: readonly TaskEvent[], action: string): TaskEvent[] {
  return events.filter((event) => event.id === action && codeOf(event) !== undefined);
}

/** Whether the action itself stands among the events, as it was sent. */
export function isEchoed(events: readonly TaskEvent[], action: string): boolean {
  return events.some((event) => event.id === action && codeOf(event) === undefined);
}

/** What stands in `events` of an answer that has none. */
export function emptyEvents(answer: ApiResponse): DialectChoices['poll.events-when-empty'] | undefined {
  const events = field(answer.r, 'events');
  if (events === undefined) return 'absent';
  if (events === null) return 'null';
  return Array.isArray(events) && events.length === 0 ? 'empty-array' : undefined;
}

/** Of the result of a script whose value is no object. */
export function shapeOf(result: TaskEvent): DialectChoices['event.result-shape'] | undefined {
  if (codeOf(result) !== 200) return undefined;
  const output = field(result.payload, 'output');
  if (output === null || typeof output !== 'object') return output === undefined ? undefined : 'bare';
  const told = field(output, 'credits_used') ?? field(output, 'duration');
  return field(output, 'output') !== undefined && told !== undefined ? 'wrapped' : undefined;
}
