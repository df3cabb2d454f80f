import type { Mutant } from '../mutant.js';
import { changeCalls, isCall, isOver, type LooseEvent, listEvents } from '../operators/events.js';
import { changeRequests, type Interception, mutant } from '../operators/make.js';
import { createRefusal, isRecord, type LooseRecord, MutantResponse } from '../operators/mutant-response.js';

/** Tools of the client: how they are registered, called and answered for. */
export const toolMutants: readonly Mutant[] = [
  mutant(
    'call-payload-tool',
    'TOOL-01',
    'A tool call names its tool in payload.tool in place of payload.name.',
    changeCalls(({ payload }) => {
      payload.tool = payload.name;
      delete payload.name;
    }),
  ),
  mutant(
    'call-payload-arguments',
    'TOOL-01',
    'A tool call carries its input as payload.arguments.',
    changeCalls(({ payload }) => {
      payload.arguments = payload.input;
      delete payload.input;
    }),
  ),
  mutant(
    'call-input-as-text',
    'TOOL-01',
    'The input of a tool call is a text that holds JSON.',
    changeCalls(({ payload }) => {
      payload.input = JSON.stringify(payload.input);
    }),
  ),
  mutant(
    'call-input-lacks-required',
    'TOOL-02',
    'The input of a tool call lacks what the schema requires.',
    changeCalls(({ payload }) => {
      payload.input = {};
    }),
  ),
  mutant(
    'call-input-of-wrong-type',
    'TOOL-02',
    'Texts in the input of a tool call come as lists.',
    changeCalls(({ payload }) => {
      if (isRecord(payload.input)) payload.input = mapValues(payload.input, (value) => [value]);
    }),
  ),
  mutant(
    'call-of-unregistered-tool',
    'TOOL-11',
    'The agent calls a tool that was not registered.',
    changeCalls(({ payload }) => {
      payload.name = `${payload.name}_v2`;
    }),
  ),
  mutant('call-without-tools', 'TOOL-11', 'The agent calls a tool in tasks that registered none.', () => {
    const without = new Map<unknown, number>();
    return async (request, next) => {
      const response = await next(request);
      if (
        request.is('createTask') &&
        response.ok &&
        typeof request.json.task === 'string' &&
        !request.json.custom_tools
      )
        without.set(response.record.id, 0);
      if (!request.is('getTask') || !without.has(request.task) || isOver(response.record)) return response;
      const payload = { name: 'search', input: { query: 'news' } };
      const timestamp = without.get(request.task) || Date.UTC(2026, 0, 1);
      without.set(request.task, timestamp);
      if (timestamp > request.since)
        response.record.events = [
          { id: `call-${request.task}`, name: 'tool_call', payload, timestamp },
          ...listEvents(response),
        ];
      return response;
    };
  }),
  mutant(
    'call-after-the-end',
    'TOOL-11',
    'A task that is over calls its tool once more when it is polled again.',
    delayCall,
  ),
  mutant(
    'call-repeated-after-reply',
    'EVENT-02',
    'A call that was replied to is made once more under the same id.',
    repeatCalls,
  ),
  mutant(
    'goes-on-without-reply',
    'TOOL-01',
    'The agent calls its tool and ends the task without waiting for the reply.',
    () => {
      const pending = new Map<string, number>();
      const ended = new Map<string, LooseRecord>();
      return async (request, next) => {
        const response = await next(request);
        if (!request.is('getTask') || !response.ok) return response;
        if (listEvents(response).some(isCall))
          pending.set(request.task, (pending.get(request.task) ?? 0) + 1);
        else if (pending.has(request.task) && !ended.has(request.task))
          ended.set(request.task, {
            status: 'done',
            output: 'Finished.',
            recording_url: '',
            credits_used: 1,
          });
        if (ended.has(request.task)) {
          Object.assign(response.record, ended.get(request.task));
          response.status = 200;
        }
        return response;
      };
    },
  ),
  mutant(
    'reply-400-refused',
    'TOOL-05',
    'A reply with code 400 is refused with 400.',
    interceptReplies((payload) =>
      payload.code === 400 ? createRefusal(400, 'The tool must not fail.') : undefined,
    ),
  ),
  mutant(
    'reply-500-refused',
    'TOOL-05',
    'A reply with code 500 is refused with 422.',
    interceptReplies((payload) =>
      payload.code === 500 ? createRefusal(422, 'code must be 200 or 400') : undefined,
    ),
  ),
  mutant(
    'stuck-after-400',
    'TOOL-05',
    'A reply with code 400 is confirmed and never reaches the agent.',
    swallowReplies((code) => code === 400),
  ),
  mutant(
    'stuck-after-500',
    'TOOL-05',
    'A reply with code 500 is confirmed and never reaches the agent.',
    swallowReplies((code) => code === 500),
  ),
  mutant(
    'stuck-after-200',
    'SERVICE-01',
    'A reply with code 200 is confirmed and never reaches the agent.',
    swallowReplies((code) => code === 200),
  ),
  ...['name', 'description', 'inputs', 'output'].map((field) =>
    mutant(
      `tool-without-${field}-accepted`,
      'TOOL-08',
      `A tool without ${field} is accepted.`,
      completeTools(field),
    ),
  ),
  mutant(
    'tool-fields-refused-with-400',
    'TOOL-08',
    'A tool that lacks a field is refused with 400.',
    () => async (request, next) => {
      const response = await next(request);
      if (request.is('createTask') && request.json.custom_tools && response.status === 422)
        response.status = 400;
      return response;
    },
  ),
  ...Object.entries({
    text: (value: unknown) => typeof value === 'string',
    object: isRecord,
    list: Array.isArray,
    number: (value: unknown) => typeof value === 'number',
    boolean: (value: unknown) => typeof value === 'boolean',
    null: (value: unknown) => value === null,
  }).map(([kind, is]) =>
    mutant(
      `reply-output-${kind}-refused`,
      'TOOL-09',
      `A reply whose output is of the kind ${kind} is refused.`,
      interceptReplies((payload) =>
        is(payload.output) ? createRefusal(422, 'output is of the wrong type') : undefined,
      ),
    ),
  ),
];

function mapValues(value: LooseRecord, change: (value: unknown) => unknown): LooseRecord {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
}

/** Answers some of the replies itself. */
function interceptReplies(answer: (payload: LooseRecord) => unknown): () => Interception {
  return changeRequests('sendTaskEvent', (request) =>
    request.json.name === 'tool_call' ? answer(request.payload as LooseRecord) : undefined,
  );
}

function swallowReplies(which: (code: unknown) => boolean): () => Interception {
  return interceptReplies((payload) =>
    which(payload.code) ? new MutantResponse(200, { r: { id: 'taken' } }) : undefined,
  );
}

/** Puts in what a tool lacks, so that it is taken. */
function completeTools(field: string): () => Interception {
  const filling: LooseRecord = {
    name: 'tool',
    description: 'A tool.',
    inputs: { type: 'object' },
    output: 'Text.',
  };
  return changeRequests('createTask', (request) => {
    const { custom_tools, ...rest } = request.json;
    if (!Array.isArray(custom_tools)) return;
    const tools = custom_tools.map((tool) => (isRecord(tool) ? { [field]: filling[field], ...tool } : tool));
    request.json = { ...rest, custom_tools: tools };
  });
}

/** Which poll shows the end of a task must not be the one that shows the call. */
function delayCall(): Interception {
  const last = new Map<string, LooseEvent>();
  const over = new Set<string>();
  return async (request, next) => {
    const response = await next(request);
    if (!request.is('getTask') || !response.ok) return response;
    for (const event of listEvents(response).filter(isCall)) last.set(request.task, { ...event });
    const call = last.get(request.task);
    if (!isOver(response.record) || !call) return response;
    const late = { ...call, id: `${call.id}-late`, timestamp: Math.max(call.timestamp, request.since) + 1 };
    if (over.has(request.task)) response.record.events = [...listEvents(response), late];
    over.add(request.task);
    return response;
  };
}

/** After each reply the call is listed once more, 1 ms later. */
function repeatCalls(): Interception {
  const seen = new Map<unknown, LooseEvent>();
  const again = new Map<string, LooseEvent[]>();
  return async (request, next) => {
    const call =
      request.is('sendTaskEvent') && request.json.name === 'tool_call'
        ? seen.get(request.json.id)
        : undefined;
    if (call)
      again.set(request.task, [
        ...(again.get(request.task) ?? []),
        { ...call, timestamp: call.timestamp + 1 },
      ]);
    const response = await next(request);
    if (!request.is('getTask') || !response.ok) return response;
    for (const event of listEvents(response).filter(isCall)) seen.set(event.id, { ...event });
    const due = (again.get(request.task) ?? []).filter(({ timestamp }) => timestamp > request.since);
    if (due.length > 0)
      response.record.events = [...listEvents(response), ...due].sort(
        (one, other) => one.timestamp - other.timestamp,
      );
    return response;
  };
}
