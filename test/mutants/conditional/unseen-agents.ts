import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isCall, isOver, listEvents } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { isRecord, type LooseRecord } from '../operators/mutant-response.js';
import type { RequestHistory } from '../operators/request-history.js';

/** Faults of agents, of what reaches them and of what they report, that the cases of the suite once lacked. */
export const unseenAgentMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'second-reply-answers-next',
    'TOOL-01',
    'order',
    'A second reply to a call is the reply to the next call.',
    () => {
      const spare = new Map<string, MutantRequest>();
      return {
        of: ['sendTaskEvent', 'getTask'],
        request: (request, past) => {
          if (isReply(request) && hasReply(past, request, request.json.id))
            spare.set(request.task, request.copy());
        },
        response: async (response, request, past, forward) => {
          const reply = request.is('getTask') ? spare.get(request.task) : undefined;
          const next = listEvents(response).find(
            (event) => isCall(event) && !hasReply(past, request, event.id),
          );
          if (!reply || !next) return;
          spare.delete(request.task);
          reply.json = { ...reply.json, id: next.id };
          await forward(reply);
        },
      };
    },
  ),
  conditionalMutant(
    'repeated-reply-answers-open-call',
    'TOOL-01',
    'order',
    'A repeated reply is the reply to the call that is open when it comes.',
    {
      of: 'sendTaskEvent',
      when: isReply,
      request: (request, past) => {
        if (!hasReply(past, request, request.json.id)) return;
        const { events } = past.readTask(request);
        const open = events.find((event) => isCall(event) && !hasReply(past, request, event.id));
        if (open) request.json = { ...request.json, id: open.id };
      },
    },
  ),
  conditionalMutant(
    'model-of-same-text',
    'TASK-04',
    'several things',
    'A task has the response model of the first task with the same text.',
    () => {
      const models = new Map<unknown, unknown>();
      return {
        of: 'createTask',
        when: ({ json }) => json.task != null && json.response_model != null,
        request: (request) => {
          const { task, response_model } = request.json;
          if (!models.has(task)) models.set(task, response_model);
          request.json = { ...request.json, response_model: models.get(task) };
        },
      };
    },
  ),
  conditionalMutant(
    'refused-reply-counts',
    'TOOL-01',
    'order',
    'A reply that is refused reaches the agent as null.',
    {
      of: 'sendTaskEvent',
      when: isReply,
      error: async (response, request, _, forward) => {
        const reply = request.copy();
        reply.json = { ...request.json, payload: { code: 200, output: null } };
        await forward(reply);
        return response;
      },
    },
  ),
  conditionalMutant(
    'replies-at-once-mixed-up',
    'TOOL-01',
    'requests at once',
    'Of two replies to calls of one tool that are sent at the same time, both have the output of the first.',
    {
      of: 'sendTaskEvent',
      when: isReply,
      request: (request, past) => {
        const first = [...past.pending].find(
          (other) => other !== request && isReply(other) && findTool(past, other) === findTool(past, request),
        );
        if (first) request.json = { ...request.json, payload: first.payload };
      },
    },
  ),
  conditionalMutant(
    'agent-reads-ascii',
    'TASK-10',
    'value',
    'An agent gets a text whose characters beyond ASCII are missing.',
    {
      of: 'createTask',
      when: ({ json }) => typeof json.task === 'string',
      request: (request) => {
        const task = String(request.json.task).replace(/[^ -~]/g, '');
        request.json = { ...request.json, task };
      },
    },
  ),
  conditionalMutant(
    'output-of-one-item',
    'TASK-04',
    'bound',
    'An array of a structured output has one item at most.',
    {
      of: 'getTask',
      when: (request, past) => past.readTask(request).asked.response_model != null,
      response: (response) => {
        response.record.output = shorten(response.record.output);
      },
    },
  ),
  conditionalMutant(
    'number-of-enum-as-text',
    'TASK-04',
    'value',
    'A number of an enum is a text in a structured output.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const { response_model: model } = past.readTask(request).asked;
        const { output } = response.record;
        if (!isRecord(model) || !isRecord(model.properties) || !isRecord(output)) return;
        for (const [name, schema] of Object.entries(model.properties))
          if (isRecord(schema) && Array.isArray(schema.enum) && typeof output[name] === 'number')
            output[name] = String(output[name]);
      },
    },
  ),
  conditionalMutant(
    'listed-as-last-polled',
    'TASK-15',
    'later',
    'A task that is done is listed as it was until a poll shows that it is.',
    () => {
      const shown = new Map<string, LooseRecord>();
      return {
        of: ['createTask', 'getTask', 'listTasks'],
        response: (response, request) => {
          const { events: _, ...record } = response.record;
          if (!request.is('listTasks')) shown.set(String(record.id), record);
          else
            response.r = response.list.map((task) => {
              const last = shown.get(String(task.id));
              return last && task.status === 'done' && !isOver(last) ? last : task;
            });
        },
      };
    },
  ),
];

/** A value whose arrays keep their first items alone. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shorten);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shorten(each)]));
}

function findTool(past: RequestHistory, reply: MutantRequest): unknown {
  const call = past.readTask(reply).events.find((event) => isCall(event) && event.id === reply.json.id);
  return call?.payload.name;
}

function isReply({ json }: MutantRequest): boolean {
  return json.name === 'tool_call';
}

function hasReply(past: RequestHistory, request: MutantRequest, call: unknown): boolean {
  return past.readTask(request).replies.some((each) => each.request.json.id === call);
}
