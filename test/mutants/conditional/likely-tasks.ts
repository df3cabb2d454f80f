import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isCall, isResult, listEvents } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, isRecord, MutantResponse } from '../operators/mutant-response.js';

/** Faults of tasks and sessions, such as services are likely to have; written before the suite and the search were tuned for any of them. */
export const likelyTaskMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'equal-creations-at-once-share-task',
    'TASK-01',
    'requests at once',
    'Two equal creations at once are responded to with the same task.',
    () => {
      const underWay = new Map<string, Promise<MutantResponse>>();
      return {
        of: 'createTask',
        async request(request, _past, forward) {
          const same = `${request.key} ${String(request.body)}`;
          const first = underWay.get(same);
          if (first) return (await first).copy();
          const own = forward(request);
          underWay.set(same, own);
          return own.finally(() => underWay.delete(same));
        },
      };
    },
  ),
  conditionalMutant(
    'list-lags-behind-stop',
    'TASK-15',
    'later',
    'For five seconds after it was stopped a task is listed as running.',
    {
      of: 'listTasks',
      response: (response, request, past) => {
        const stopped = past
          .listSucceeded(request, 'deleteTask')
          .filter(({ at }) => past.now() - at < 5000)
          .map((each) => each.request.task);
        for (const task of response.list)
          if (stopped.includes(String(task.id)) && task.status === 'cancelled') task.status = 'running';
      },
    },
  ),
  conditionalMutant(
    'reply-revives-stopped-task',
    'TASK-13',
    'order',
    'A reply that is sent after the task was stopped makes it run again.',
    {
      of: 'getTask',
      when: (request, past) => {
        const sent = past
          .listSent(request, 'deleteTask', 'sendTaskEvent')
          .filter((each) => each.request.task === request.task);
        const stop = sent.findIndex((each) => each.request.is('deleteTask') && each.response.ok);
        return stop >= 0 && sent.slice(stop).some((each) => each.request.json.name === 'tool_call');
      },
      response: (response) => {
        if (response.record.status !== 'cancelled') return;
        response.status = 202;
        response.record.status = 'running';
      },
    },
  ),
  conditionalMutant(
    'model-ignored-with-profile',
    'TASK-04',
    'parameters together',
    'A response_model beside a profile_id is ignored.',
    {
      of: 'createTask',
      when: ({ json }) => json.profile_id !== undefined && json.response_model !== undefined,
      request: (request) => {
        const { response_model: _, ...rest } = request.json;
        request.json = rest;
      },
    },
  ),
  conditionalMutant(
    'model-reference-null',
    'TASK-04',
    'value',
    'A part of a response_model that refers to a definition comes out as null.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const model = past.readTask(request).asked.response_model;
        const { output } = response.record;
        if (!isRecord(model)) return;
        if (Array.isArray(output) && isRecord(model.items) && '$ref' in model.items)
          response.record.output = output.map(() => null);
        if (!isRecord(model.properties) || !isRecord(output)) return;
        for (const [name, schema] of Object.entries(model.properties))
          if (JSON.stringify(schema).includes('"$ref"')) output[name] = null;
      },
    },
  ),
  conditionalMutant(
    'session-output-of-run-task',
    'TASK-03',
    'order',
    'A session that runs has the output of its last run_task.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        if (response.record.status !== 'running') return;
        const task = past.readTask(request);
        for (const event of [...task.events, ...listEvents(response)])
          if (isResult(event) && task.findAction(event)?.name === 'run_task')
            response.record.output = event.payload.output;
      },
    },
  ),
  conditionalMutant(
    'file-serves-one-task',
    'TASK-11',
    'n-th request',
    'A second task that names a file is refused.',
    {
      of: 'createTask',
      when: (request, past) => {
        const used = past
          .listSucceeded(request, 'createTask')
          .flatMap((each) => each.request.json.files ?? []);
        const { files } = request.json;
        return Array.isArray(files) && files.some((id) => used.includes(id));
      },
      request: () => createRefusal(404, 'There is no such file.'),
    },
  ),
  conditionalMutant(
    'since-inclusive-once-over',
    'POLL-03',
    'later',
    'Once a task was seen over, a poll lists the event of the time event_t too.',
    {
      of: 'getTask',
      when: (request, past) => request.since > 0 && past.readTask(request).end !== undefined,
      response: (response, request, past) => {
        const again = past.readTask(request).events.filter(({ timestamp }) => timestamp === request.since);
        if (again[0]) response.record.events = [again[0], ...listEvents(response)];
      },
    },
  ),
  conditionalMutant('poll-of-ten-events', 'POLL-04', 'bound', 'A poll for all events lists the first ten.', {
    of: 'getTask',
    when: ({ since }) => since === 0,
    response: (response) => {
      response.record.events = listEvents(response).slice(0, 10);
    },
  }),
  conditionalMutant(
    'no-live-url-with-downloads',
    'TASK-06',
    'parameters together',
    'A poll with an event_t and downloads=true gives no live_url.',
    {
      of: 'getTask',
      when: ({ query, since }) => since > 0 && query.get('downloads') === 'true',
      response: (response) => {
        if (response.record.status === 'running') response.record.live_url = null;
      },
    },
  ),
  conditionalMutant(
    'call-names-tool-that-begins-alike',
    'TOOL-02',
    'similar id',
    'A call of a tool whose name begins with the name of another tool has the name of the other.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const tools = past.readTask(request).asked.custom_tools;
        const names = Array.isArray(tools) ? tools.map((tool) => String(tool.name)) : [];
        for (const { payload } of listEvents(response).filter(isCall))
          payload.name =
            names.find((name) => name !== payload.name && String(payload.name).startsWith(name)) ??
            payload.name;
      },
    },
  ),
  conditionalMutant(
    'tool-data-outlives-task-data',
    'TASK-21',
    'after a deletion',
    'The data of a tool call stays when the data of its task is deleted.',
    () => {
      const kept = new Map<string, MutantResponse>();
      return {
        of: ['deleteTaskData', 'getToolData'],
        async request(request, past, forward) {
          const at = request.url.pathname;
          if (request.is('getToolData')) return kept.get(at)?.copy();
          for (const { id, payload } of past.readTask(request).events.filter(isCall)) {
            const path = `/tool/${encodeURIComponent(String(payload.name))}/${encodeURIComponent(id)}`;
            const response = await forward(request.derive('GET', path));
            if (response.ok) kept.set(request.derive('GET', path).url.pathname, response);
          }
          return undefined;
        },
      };
    },
  ),
  conditionalMutant(
    'digits-of-event-id-as-number',
    'EVENT-03',
    'value',
    'An id of digits is read as a number: leading zeros are lost, and digits after the sixteenth.',
    {
      of: 'sendTaskEvent',
      when: ({ json }) => /^\d+$/.test(String(json.id)) && String(Number(json.id)) !== json.id,
      request: (request) => {
        const { json } = request;
        request.json = { ...json, id: String(Number(json.id)) };
      },
    },
  ),
  conditionalMutant(
    'close-dropped-beside-action',
    'SESSION-10',
    'order',
    'A close is confirmed but dropped while the result of a run_task is due.',
    {
      of: 'sendTaskEvent',
      when: (request, past) =>
        request.payload.name === 'close' &&
        past.readTask(request).openActions.some((each) => each.request.payload.name === 'run_task'),
      request: ({ json }) => new MutantResponse(200, { r: { id: json.id } }),
    },
  ),
  conditionalMutant(
    'result-named-as-run-task-before',
    'EVENT-08',
    'several things',
    'The result of a browser_action that follows a run_task without a poll between is named session_action.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const { actions, polls } = past.readTask(request);
        for (const event of listEvents(response)) {
          const index = actions.findIndex((each) => each.request.json.id === event.id);
          const [before, own] = [actions[index - 1], actions[index]];
          if (before?.request.payload.name !== 'run_task' || own?.request.json.name !== 'browser_action')
            continue;
          if (!polls.some(({ at }) => at > before.at && at < own.at)) event.name = 'session_action';
        }
      },
    },
  ),
  conditionalMutant(
    'run-task-of-one-step-silent',
    'EVENT-08',
    'value',
    'A run_task with max_steps 1 has no result.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const task = past.readTask(request);
        response.record.events = listEvents(response).filter((event) => {
          const { input } = task.findAction(event) ?? {};
          return !isRecord(input) || input.max_steps !== 1;
        });
      },
    },
  ),
  conditionalMutant(
    'model-with-list-of-types-refused',
    'TASK-11',
    'value',
    'A response_model that gives a list of types is refused.',
    {
      of: 'createTask',
      when: ({ json }) => /"type":\[/.test(JSON.stringify(json.response_model ?? null)),
      request: () => createRefusal(422),
    },
  ),
  conditionalMutant(
    'output-of-list-model-wrapped',
    'TASK-04',
    'value',
    'An output whose response_model is of type array stands in an object.',
    {
      of: 'getTask',
      response: ({ record }) => {
        if (Array.isArray(record.output)) record.output = { items: record.output };
      },
    },
  ),
  conditionalMutant(
    'call-without-inputs-null',
    'TOOL-01',
    'value',
    'The call of a tool without inputs has the input null.',
    {
      of: 'getTask',
      response: (response) => {
        for (const { payload } of listEvents(response).filter(isCall))
          if (isRecord(payload.input) && Object.keys(payload.input).length === 0) payload.input = null;
      },
    },
  ),
  conditionalMutant(
    'tool-name-made-an-identifier',
    'TOOL-11',
    'value',
    'In the name of a tool that is called each character but letters, digits and _ is replaced by _.',
    {
      of: 'getTask',
      response: (response) => {
        for (const { payload } of listEvents(response).filter(isCall))
          payload.name = String(payload.name).replace(/\W/g, '_');
      },
    },
  ),
  conditionalMutant(
    'call-after-error-keeps-id',
    'EVENT-02',
    'n-th request',
    'The call that follows an error reply has the id of the call before.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const { replies } = past.readTask(request);
        const [failed] = replies.filter((each) => each.request.payload.code !== 200);
        if (!failed) return;
        const calls = listEvents(response).filter(isCall);
        for (const call of calls)
          if (call.id !== failed.request.json.id && call.timestamp > failed.at)
            call.id = String(failed.request.json.id);
      },
    },
  ),
  conditionalMutant(
    'error-reply-stalls-task',
    'SERVICE-01',
    'value',
    'A task that got a reply of code 500 runs for ever.',
    {
      of: 'getTask',
      when: (request, past) =>
        past.readTask(request).replies.some((each) => each.request.payload.code === 500),
      response: (response) => {
        if (response.record.status === 'cancelled') return;
        response.status = 202;
        Object.assign(response.record, { status: 'running', output: null });
      },
    },
  ),
  conditionalMutant(
    'credits-of-called-tools-as-text',
    'TASK-08',
    'several things',
    'The credits_used of a task that called tools twice is text.',
    {
      of: 'getTask',
      when: (request, past) => past.readTask(request).replies.length > 1,
      response: ({ record }) => {
        if (typeof record.credits_used === 'number') record.credits_used = String(record.credits_used);
      },
    },
  ),
  conditionalMutant(
    'second-stop-at-once-fails',
    'TASK-17',
    'requests at once',
    'A stop that comes while another task is stopped is responded to but does nothing.',
    {
      of: 'deleteTask',
      when: (_request, past) => past.isPending('deleteTask'),
      request: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant('t-of-zero-refused', 'TASK-15', 'value', 'A list of tasks with a t of 0 is refused.', {
    of: 'listTasks',
    when: ({ query }) => query.get('t') === '0',
    request: () => createRefusal(422),
  }),
  conditionalMutant(
    'empty-list-of-tools-refused',
    'TASK-11',
    'value',
    'A task with an empty list of custom_tools is refused.',
    {
      of: 'createTask',
      when: ({ json }) => Array.isArray(json.custom_tools) && json.custom_tools.length === 0,
      request: () => createRefusal(422),
    },
  ),
  conditionalMutant(
    'goto-same-address-silent',
    'SESSION-06',
    'n-th request',
    'A goto to the address that the last goto had has no result.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const gotos = past
          .readTask(request)
          .actions.filter((each) => each.request.payload.name === 'goto')
          .map((each) => each.request);
        const readUrl = (each?: MutantRequest) =>
          each && isRecord(each.payload.input) ? each.payload.input.url : null;
        response.record.events = listEvents(response).filter((event) => {
          const index = gotos.findIndex((each) => each.json.id === event.id);
          return index < 1 || readUrl(gotos[index]) !== readUrl(gotos[index - 1]);
        });
      },
    },
  ),
  conditionalMutant(
    'fifth-open-action-dropped',
    'EVENT-08',
    'bound',
    'A fifth action whose four predecessors have no result yet is confirmed but dropped.',
    {
      of: 'sendTaskEvent',
      when: (request, past) =>
        request.json.name !== 'tool_call' && past.readTask(request).openActions.length >= 4,
      request: ({ json }) => new MutantResponse(200, { r: { id: json.id } }),
    },
  ),
  conditionalMutant(
    'result-at-time-of-client',
    'EVENT-10',
    'value',
    'The result of an action whose timestamp lies ahead of the time of the service has that timestamp.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const { actions } = past.readTask(request);
        for (const event of listEvents(response).filter(isResult)) {
          const action = actions.find((each) => each.request.json.id === event.id);
          const timestamp = Number(action?.request.json.timestamp ?? 0);
          if (action && timestamp > action.at) event.timestamp = timestamp;
        }
      },
    },
  ),
  conditionalMutant(
    'task-with-events-listed-twice',
    'TASK-15',
    'several things',
    'A task with two events that a client sent is listed twice.',
    {
      of: 'listTasks',
      response: (response, request, past) => {
        const limit = Number(request.query.get('l') ?? 32);
        response.r = response.list
          .flatMap((task) => {
            const sent = past
              .listSucceeded(request, 'sendTaskEvent')
              .filter((each) => each.request.task === task.id);
            return sent.length > 1 ? [task, task] : [task];
          })
          .slice(0, limit);
      },
    },
  ),
];
