import { listToolNames } from '../../../scenarios/format/library/task-request.js';
import type { EventName } from '../../../spec/vocabulary.js';
import { EVENT_NAMES } from '../../../spec/vocabulary.js';
import { isOneOf, toFields } from '../../conversation/json.js';
import type { ReadEvent, ReadExchange, WholeEvent } from '../../conversation/read-exchange.js';
import { findMaximum, type PlacedStep, type ScenarioDraft } from './draft.js';
import type { RecordedTask } from './recorded-task.js';

/** Largest difference between the clocks of the service and the exchanges, ms; a larger one is no time of an event. */
const LARGEST_SKEW_MS = 86_400_000;

/** Converts times of events to the clock of the exchanges. */
export class EventClock {
  readonly #skew: number;

  constructor({ exchanges }: RecordedTask) {
    const early = exchanges.flatMap(({ wholeEvents, respondedAt }) =>
      wholeEvents
        .map(({ timestamp }) => timestamp - respondedAt)
        .filter((ms) => Math.abs(ms) < LARGEST_SKEW_MS),
    );
    // An event that is listed before its time: the clock of the service is ahead.
    this.#skew = Math.max(0, findMaximum(early));
  }

  readTime({ timestamp }: ReadEvent, { at, respondedAt }: Pick<ReadExchange, 'at' | 'respondedAt'>): number {
    if (timestamp === undefined || Math.abs(timestamp - respondedAt) >= LARGEST_SKEW_MS) return at;
    return Math.min(timestamp - this.#skew, respondedAt);
  }
}

/** Adds the events of the service when they were first listed. Returns the step ids of its calls by event id. */
export function addEvents(
  recorded: RecordedTask,
  draft: ScenarioDraft,
  clock: EventClock,
  actions: ReadonlyMap<string, string>,
): Map<string, string> {
  const { exchanges, task } = recorded;
  const tools = listToolNames(task.request ?? {});
  const calls = new Map<string, string>();
  const lastTimes = new Map<string, number>();
  const begin = recorded.creates.at(-1)!.at;
  const polls = exchanges.filter((each) => each.is('getTask'));
  for (const poll of polls.sort((one, other) => one.respondedAt - other.respondedAt)) {
    const listed = [...poll.wholeEvents].sort((one, other) => one.timestamp - other.timestamp);
    for (const event of listed) {
      if (event.shape === 'echo') continue;
      const at = Math.max(begin, clock.readTime(event, poll));
      const before = lastTimes.get(event.key);
      lastTimes.set(event.key, Math.max(before ?? 0, event.timestamp));
      const seq = poll.seq - 0.5;
      if (before === undefined) addEvent(event, at, seq);
      else if (event.timestamp > before) addReissue(event, at, seq);
    }
  }
  return calls;

  function addEvent(event: WholeEvent, at: number, seq: number): void {
    const { id, name, payload, shape } = event;
    const action = actions.get(id);
    if (shape === 'call' && typeof payload.name === 'string') {
      const step = draft.createId(formatCallName(payload.name, payload.input));
      calls.set(id, step);
      const input = toFields(payload.input ?? {});
      const isKnown = tools.includes(payload.name) && name === 'tool_call';
      const what = isKnown
        ? 'The input of the call is not an object'
        : 'The tool is not among those of the request';
      if (isKnown && input)
        draft.add({ service: 'tool_call', id: step, tool: payload.name, input: { ...input } }, at, seq);
      else addRawEvent(event, at, seq, step, `${what}: the event is sent as it was.`);
    } else if (shape === 'result' && action !== undefined) addResult(event, action, at, seq);
    else addRawEvent(event, at, seq, undefined, 'The recording shows no request that this event belongs to.');
  }

  function addReissue(event: WholeEvent, at: number, seq: number): void {
    const call = calls.get(event.id);
    const action = actions.get(event.id);
    if (call !== undefined) draft.addRule({ network: 'reissue', of: { step: call } }, readPlace(call));
    else if (action !== undefined) addResult(event, action, at, seq);
  }

  function addResult({ payload }: WholeEvent, to: string, at: number, seq: number): void {
    draft.add({ service: 'result', to, ...readResult(payload) }, at, seq);
  }

  function addRawEvent(
    { name, payload }: WholeEvent,
    at: number,
    seq: number,
    id: string | undefined,
    comment: string,
  ): void {
    if (!isOneOf<string>(EVENT_NAMES, name)) {
      draft.remarks.push(
        `An event with the name ${JSON.stringify(name)} is left out: the API has no such name.`,
      );
      return;
    }
    const step = { service: 'event' as const, name: name as EventName, payload: { ...payload } };
    draft.add(id === undefined ? step : { ...step, id }, at, seq, { comment });
  }

  function readPlace(id: string): Pick<PlacedStep, 'at' | 'seq'> {
    const { at, seq } = draft.findStep(id)!;
    return { at, seq: seq + 0.8 };
  }
}

/** The code and the unwrapped value of a result. */
function readResult({ code, output }: WholeEvent['payload']) {
  const isSuccess = code === 200;
  const wrapped = toFields(output);
  const isWrapped =
    isSuccess &&
    typeof wrapped?.credits_used === 'number' &&
    Object.keys(wrapped).every((key) => ['output', 'credits_used', 'duration'].includes(key));
  if (!isWrapped && !isSuccess) return { code: code as number, output };
  // Clients take a bare null for a goto without a value.
  if (!isWrapped) return { output, ...(output !== null && output !== undefined && { bare: true as const }) };
  const { credits_used, duration } = wrapped;
  return {
    ...('output' in wrapped && { output: wrapped.output }),
    ...(credits_used !== 0 && { credits_used: credits_used as number }),
    ...(typeof duration === 'number' && { duration }),
  };
}

/** `weather-kyiv` for a call of get_weather with a city. */
function formatCallName(tool: string, input: unknown): string {
  const words = Object.values(toFields(input) ?? {}).filter((value) => typeof value === 'string');
  const word = words.find((value) => /^[\w-]{2,20}$/.test(value as string));
  const noun = tool.replace(/^(get|lookup|look_up|ask|find|print|read|list)_/, '').replaceAll('_', '-');
  return word === undefined ? noun : `${noun}-${String(word).toLowerCase()}`;
}
