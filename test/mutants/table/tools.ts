import type { Mutant } from '../mutant.js';
import { calls, type Event, eventsOf, isCall, isOver } from '../operators/events.js';
import { type Between, mutant, requests } from '../operators/make.js';
import { isRec, type Rec, refusal, Told } from '../operators/told.js';

/** Tools of the client: how they are registered, called and answered for. */
export const toolMutants: readonly Mutant[] = [
  mutant(
    'call-payload-tool',
    'TOOL-01',
    'A tool call names its tool in payload.tool in place of payload.name.',
    calls(({ payload }) => {
      payload.tool = payload.name;
      delete payload.name;
    }),
  ),
  mutant(
    'call-payload-arguments',
    'TOOL-01',
    'A tool call carries its input as payload.arguments.',
    calls(({ payload }) => {
      payload.arguments = payload.input;
      delete payload.input;
    }),
  ),
  mutant(
    'call-input-as-text',
    'TOOL-01',
    'The input of a tool call is a text that holds JSON.',
    calls(({ payload }) => {
      payload.input = JSON.stringify(payload.input);
    }),
  ),
  mutant(
    'call-input-lacks-required',
    'TOOL-02',
    'The input of a tool call lacks what the schema requires.',
    calls(({ payload }) => {
      payload.input = {};
    }),
  ),
  mutant(
    'call-input-of-wrong-type',
    'TOOL-02',
    'Texts in the input of a tool call come as lists.',
    calls(({ payload }) => {
      if (isRec(payload.input)) payload.input = mapValues(payload.input, (value) => [value]);
    }),
  ),
  mutant(
    'call-of-unregistered-tool',
    'TOOL-11',
    'The agent calls a tool that was not registered.',
    calls(({ payload }) => {
      payload.name = `${payload.name}_v2`;
    }),
  ),
  mutant('call-without-tools', 'TOOL-11', 'The agent calls a tool in tasks that registered none.', () => {
    const without = new Map<unknown, number>();
    return async (asked, next) => {
      const told = await next(asked);
      if (
        asked.is('createTask') &&
        told.ok &&
        typeof asked.json.task === 'string' &&
        !asked.json.custom_tools
      )
        without.set(told.record.id, 0);
      if (!asked.is('getTask') || !without.has(asked.task) || isOver(told.record)) return told;
      const payload = { name: 'search', input: { query: 'news' } };
      const timestamp = without.get(asked.task) || Date.UTC(2026, 0, 1);
      without.set(asked.task, timestamp);
      if (timestamp > asked.since)
        told.record.events = [
          { id: `call-${asked.task}`, name: 'tool_call', payload, timestamp },
          ...eventsOf(told),
        ];
      return told;
    };
  }),
  mutant(
    'call-after-the-end',
    'TOOL-11',
    'A task that is over calls its tool once more when it is polled again.',
    callingLate,
  ),
  mutant(
    'call-repeated-after-reply',
    'EVENT-02',
    'A call that was replied to is made once more under the same id.',
    repeatingCalls,
  ),
  mutant(
    'goes-on-without-reply',
    'TOOL-01',
    'The agent calls its tool and ends the task without waiting for the reply.',
    () => {
      const pending = new Map<string, number>();
      const ended = new Map<string, Rec>();
      return async (asked, next) => {
        const told = await next(asked);
        if (!asked.is('getTask') || !told.ok) return told;
        if (eventsOf(told).some(isCall)) pending.set(asked.task, (pending.get(asked.task) ?? 0) + 1);
        else if (pending.has(asked.task) && !ended.has(asked.task))
          ended.set(asked.task, { status: 'done', output: 'Finished.', recording_url: '', credits_used: 1 });
        if (ended.has(asked.task)) {
          Object.assign(told.record, ended.get(asked.task));
          told.status = 200;
        }
        return told;
      };
    },
  ),
  mutant(
    'reply-400-refused',
    'TOOL-05',
    'A reply with code 400 is refused with 400.',
    replies((payload) => (payload.code === 400 ? refusal(400, 'The tool must not fail.') : undefined)),
  ),
  mutant(
    'reply-500-refused',
    'TOOL-05',
    'A reply with code 500 is refused with 422.',
    replies((payload) => (payload.code === 500 ? refusal(422, 'code must be 200 or 400') : undefined)),
  ),
  mutant(
    'stuck-after-400',
    'TOOL-05',
    'A reply with code 400 is confirmed and never reaches the agent.',
    swallowing((code) => code === 400),
  ),
  mutant(
    'stuck-after-500',
    'TOOL-05',
    'A reply with code 500 is confirmed and never reaches the agent.',
    swallowing((code) => code === 500),
  ),
  mutant(
    'stuck-after-200',
    'SERVICE-01',
    'A reply with code 200 is confirmed and never reaches the agent.',
    swallowing((code) => code === 200),
  ),
  ...['name', 'description', 'inputs', 'output'].map((field) =>
    mutant(
      `tool-without-${field}-accepted`,
      'TOOL-08',
      `A tool without ${field} is accepted.`,
      completing(field),
    ),
  ),
  mutant(
    'tool-fields-refused-with-400',
    'TOOL-08',
    'A tool that lacks a field is refused with 400.',
    () => async (asked, next) => {
      const told = await next(asked);
      if (asked.is('createTask') && asked.json.custom_tools && told.status === 422) told.status = 400;
      return told;
    },
  ),
  ...Object.entries({
    text: (value: unknown) => typeof value === 'string',
    object: isRec,
    list: Array.isArray,
    number: (value: unknown) => typeof value === 'number',
    boolean: (value: unknown) => typeof value === 'boolean',
    null: (value: unknown) => value === null,
  }).map(([kind, is]) =>
    mutant(
      `reply-output-${kind}-refused`,
      'TOOL-09',
      `A reply whose output is of the kind ${kind} is refused.`,
      replies((payload) => (is(payload.output) ? refusal(422, 'output is of the wrong type') : undefined)),
    ),
  ),
];

function mapValues(value: Rec, change: (value: unknown) => unknown): Rec {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
}

/** Answers some of the replies itself. */
function replies(answer: (payload: Rec) => unknown): () => Between {
  return requests('sendTaskEvent', (asked) =>
    asked.json.name === 'tool_call' ? answer(asked.payload as Rec) : undefined,
  );
}

function swallowing(which: (code: unknown) => boolean): () => Between {
  return replies((payload) => (which(payload.code) ? new Told(200, { r: { id: 'taken' } }) : undefined));
}

/** Puts in what a tool lacks, so that it is taken. */
function completing(field: string): () => Between {
  const filling: Rec = { name: 'tool', description: 'A tool.', inputs: { type: 'object' }, output: 'Text.' };
  return requests('createTask', (asked) => {
    const { custom_tools, ...rest } = asked.json;
    if (!Array.isArray(custom_tools)) return;
    const tools = custom_tools.map((tool) => (isRec(tool) ? { [field]: filling[field], ...tool } : tool));
    asked.json = { ...rest, custom_tools: tools };
  });
}

/** Which poll shows the end of a task must not be the one that shows the call. */
function callingLate(): Between {
  const last = new Map<string, Event>();
  const over = new Set<string>();
  return async (asked, next) => {
    const told = await next(asked);
    if (!asked.is('getTask') || !told.ok) return told;
    for (const event of eventsOf(told).filter(isCall)) last.set(asked.task, { ...event });
    const call = last.get(asked.task);
    if (!isOver(told.record) || !call) return told;
    const late = { ...call, id: `${call.id}-late`, timestamp: Math.max(call.timestamp, asked.since) + 1 };
    if (over.has(asked.task)) told.record.events = [...eventsOf(told), late];
    over.add(asked.task);
    return told;
  };
}

/** After each reply the call is listed once more, 1 ms later. */
function repeatingCalls(): Between {
  const seen = new Map<unknown, Event>();
  const again = new Map<string, Event[]>();
  return async (asked, next) => {
    const call =
      asked.is('sendTaskEvent') && asked.json.name === 'tool_call' ? seen.get(asked.json.id) : undefined;
    if (call)
      again.set(asked.task, [...(again.get(asked.task) ?? []), { ...call, timestamp: call.timestamp + 1 }]);
    const told = await next(asked);
    if (!asked.is('getTask') || !told.ok) return told;
    for (const event of eventsOf(told).filter(isCall)) seen.set(event.id, { ...event });
    const due = (again.get(asked.task) ?? []).filter(({ timestamp }) => timestamp > asked.since);
    if (due.length > 0)
      told.record.events = [...eventsOf(told), ...due].sort((one, other) => one.timestamp - other.timestamp);
    return told;
  };
}
