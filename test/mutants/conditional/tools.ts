import type { ConditionalMutant } from '../mutant.js';
import { type ConditionalFault, conditionalMutant } from '../operators/conditional.js';
import { isCall, type LooseEvent, listEvents } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, isRecord, type LooseRecord, MutantResponse } from '../operators/mutant-response.js';
import type { RequestHistory } from '../operators/request-history.js';

/** Custom tools: their definitions, the calls and the replies. */
export const conditionalToolMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'tool-name-without-dashes',
    'TOOL-11',
    'value',
    'A tool with a dash in its name is called with an underscore in place of it.',
    {
      of: 'getTask',
      response: changeCalls((call) => {
        call.payload.name = String(call.payload.name).replaceAll('-', '_');
      }),
    },
  ),
  conditionalMutant(
    'optional-inputs-null',
    'TOOL-02',
    'value',
    'Properties that the inputs of a tool do not require are null in a call without them.',
    {
      of: 'getTask',
      response: changeCalls((call, { inputs }) => {
        const optional = Object.keys(readProperties(inputs)).filter(
          (name) => !listRequired(inputs).includes(name),
        );
        for (const name of optional) (call.payload.input as LooseRecord)[name] ??= null;
      }),
    },
  ),
  conditionalMutant(
    'input-null-without-properties',
    'TOOL-01',
    'value',
    'The input in a call of a tool without properties is null.',
    {
      of: 'getTask',
      response: changeCalls((call, { inputs }) => {
        if (Object.keys(readProperties(inputs)).length === 0) call.payload.input = null;
      }),
    },
  ),
  conditionalMutant(
    'tool-called-by-prefix',
    'TOOL-02',
    'similar id',
    'A tool whose name begins with that of another is called by the name of that one.',
    {
      of: 'getTask',
      response: changeCalls((call, { name }, request, past) => {
        const shorter = listTools(past.readTask(request).asked).find(
          (other) => other.name !== name && String(name).startsWith(String(other.name)),
        );
        if (shorter) call.payload.name = shorter.name;
      }),
    },
  ),
  conditionalMutant(
    'second-tool-unchecked',
    'TOOL-08',
    'several things',
    'Only the first of several tool definitions is checked.',
    {
      of: 'createTask',
      error: (response, request, _, forward) => {
        const [first, ...others] = listTools(request.json);
        if (response.status !== 422 || others.length === 0) return undefined;
        const copy = request.copy();
        copy.json = { ...request.json, custom_tools: [first] };
        return forward(copy);
      },
    },
  ),
  conditionalMutant(
    'tool-text-null-accepted',
    'TOOL-08',
    'value',
    'A tool whose description or output is null is accepted.',
    {
      of: 'createTask',
      request: (request) => {
        if (!Array.isArray(request.json.custom_tools)) return;
        const custom_tools = listTools(request.json).map((tool) => ({
          ...tool,
          ...(tool.description === null ? { description: '' } : {}),
          ...(tool.output === null ? { output: '' } : {}),
        }));
        if (custom_tools.length > 0) request.json = { ...request.json, custom_tools };
      },
    },
  ),
  conditionalMutant(
    'reply-null-422',
    'TOOL-09',
    'value',
    'A reply whose output is null is refused.',
    refuseReplies(({ output }) => output === null),
  ),
  conditionalMutant(
    'reply-falsy-422',
    'TOOL-09',
    'value',
    'A reply whose output is false, 0 or an empty text is refused.',
    refuseReplies(({ output }) => output === false || output === 0 || output === ''),
  ),
  conditionalMutant(
    'reply-array-422',
    'TOOL-09',
    'value',
    'A reply whose output is an array is refused.',
    refuseReplies(({ output }) => Array.isArray(output)),
  ),
  conditionalMutant(
    'reply-nested-422',
    'TOOL-09',
    'bound',
    'A reply whose output is more than eight levels deep is refused.',
    refuseReplies(({ output }) => measureDepth(output) > 8),
  ),
  conditionalMutant(
    'second-error-reply-lost',
    'TOOL-05',
    'n-th request',
    'The second reply of a task with an error code is confirmed and never reaches the agent.',
    {
      of: 'sendTaskEvent',
      when: ({ json, payload }) =>
        json.name === 'tool_call' && (payload.code === 400 || payload.code === 500),
      request: (request, past) => {
        const failed = past.readTask(request).replies.filter((each) => each.request.payload.code !== 200);
        const isNew = failed.length === 1 && failed[0]!.request.json.id !== request.json.id;
        return isNew ? new MutantResponse(200, { r: { id: request.json.id } }) : undefined;
      },
    },
  ),
  conditionalMutant(
    'second-call-keeps-id',
    'EVENT-02',
    'order',
    'A call after a reply with an error code has the id of the call before it.',
    () => {
      const real = new Map<unknown, string>();
      return {
        of: ['getTask', 'sendTaskEvent'],
        request: (request) => {
          const id = real.get(request.json.id);
          if (id !== undefined) request.json = { ...request.json, id };
        },
        response: (response, request, past) => {
          if (!request.is('getTask')) return;
          const { replies, events } = past.readTask(request);
          const calls = new Map(
            [...events, ...listEvents(response)].filter(isCall).map((call) => [call.id, call]),
          );
          const ids = [...calls.keys()];
          const failed = new Set(
            replies.filter((each) => each.request.payload.code !== 200).map((each) => each.request.json.id),
          );
          for (const call of listEvents(response)) {
            const before = ids[ids.indexOf(call.id) - 1];
            if (!isCall(call) || before === undefined || !failed.has(before)) continue;
            real.set(before, call.id);
            call.id = before;
          }
        },
      };
    },
  ),
  conditionalMutant(
    'repeated-call-lacks-input',
    'TOOL-02',
    'order',
    'A call after a reply with an error code lacks the first required property of its input.',
    {
      of: 'getTask',
      response: changeCalls((call, { inputs }, request, past) => {
        const failed = past
          .readTask(request)
          .replies.find(({ request: { payload } }) => payload.code !== 200);
        const isRepeated = failed !== undefined && failed.request.json.id !== call.id;
        if (isRepeated) delete (call.payload.input as LooseRecord)[String(listRequired(inputs)[0])];
      }),
    },
  ),
  conditionalMutant(
    'reply-after-next-poll-404',
    'EVENT-03',
    'order',
    'A reply gets 404 once a poll went on from the time of its call.',
    {
      of: 'sendTaskEvent',
      when: (request, past) => {
        const { polls, events } = past.readTask(request);
        const call = events.find(({ id, name }) => name === 'tool_call' && id === request.json.id);
        return call !== undefined && polls.some((poll) => poll.request.since >= call.timestamp);
      },
      response: () => createRefusal(404, 'No call waits for this reply.'),
    },
  ),
  conditionalMutant(
    'tools-at-once-mixed-up',
    'TOOL-11',
    'requests at once',
    'Of two tasks with tools created at once the second has the tools of the first.',
    {
      of: 'createTask',
      request: (request, past) => {
        const first = [...past.pending].find(
          (other) => other !== request && listTools(other.json).length > 0,
        );
        if (!first || listTools(request.json).length === 0) return;
        request.json = { ...request.json, custom_tools: first.json.custom_tools };
      },
    },
  ),
  conditionalMutant(
    'tool-data-of-falsy-404',
    'CHAT-11',
    'value',
    'The data of a call whose reply had a falsy output are not found.',
    {
      of: 'getToolData',
      when: (request, past) =>
        past
          .listSucceededByAll('sendTaskEvent')
          .some((each) => each.request.json.id === request.path.get('id') && !each.request.payload.output),
      response: () => createRefusal(404, 'There is no such call.'),
    },
  ),
];

/** Changes calls of registered tools in polls; gets the definition too. */
function changeCalls(
  change: (call: LooseEvent, tool: LooseRecord, request: MutantRequest, past: RequestHistory) => void,
): NonNullable<ConditionalFault['response']> {
  return (response, request, past) => {
    const tools = listTools(past.readTask(request).asked);
    for (const call of listEvents(response).filter(isCall)) {
      const tool = tools.find(({ name }) => name === call.payload.name);
      if (tool) change(call, tool, request, past);
    }
  };
}

function refuseReplies(when: (payload: LooseRecord) => boolean): ConditionalFault {
  return {
    of: 'sendTaskEvent',
    when: ({ json, payload }) => json.name === 'tool_call' && 'output' in payload && when(payload),
    response: () => createRefusal(422, 'payload.output: not of this kind'),
  };
}

function listTools(request: LooseRecord): LooseRecord[] {
  return Array.isArray(request.custom_tools) ? request.custom_tools.filter(isRecord) : [];
}

function readProperties(schema: unknown): LooseRecord {
  return isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
}

function listRequired(schema: unknown): unknown[] {
  return isRecord(schema) && Array.isArray(schema.required) ? schema.required : [];
}

function measureDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(measureDepth));
}
