import type { ConditionalMutant } from '../mutant.js';
import { type ConditionalFault, conditionalMutant } from '../operators/conditional.js';
import { isResult, type LooseEvent, listEvents } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, isRecord, type LooseRecord, MutantResponse } from '../operators/mutant-response.js';
import type { RequestHistory } from '../operators/request-history.js';

/** Actions that are sent to sessions, and their results. */
export const conditionalSessionMutants: readonly ConditionalMutant[] = [
  conditionalMutant('result-id-cut', 'EVENT-08', 'bound', 'The id of a result ends after 64 characters.', {
    of: 'getTask',
    response: changeResults((event) => {
      event.id = event.id.slice(0, 64);
    }),
  }),
  conditionalMutant(
    'action-id-of-other-case',
    'EVENT-08',
    'similar id',
    'An action whose id differs from an earlier one by the case of letters alone is confirmed and not carried out.',
    skipActions((request, past) =>
      past.readTask(request).actions.some((each) => {
        const [id, other] = [String(request.json.id), String(each.request.json.id)];
        return id !== other && id.toLowerCase() === other.toLowerCase();
      }),
    ),
  ),
  conditionalMutant(
    'result-id-normalized',
    'EVENT-08',
    'value',
    'The id of a result is normalized where that of the action is no normalized Unicode.',
    {
      of: 'getTask',
      response: changeResults((event) => {
        event.id = event.id.normalize('NFC');
      }),
    },
  ),
  conditionalMutant(
    'event-id-trimmed',
    'EVENT-03',
    'value',
    'Blanks around the id of an event are not confirmed.',
    {
      of: 'sendTaskEvent',
      response: ({ record }) => {
        record.id = String(record.id).trim();
      },
    },
  ),
  conditionalMutant(
    'result-id-as-number',
    'EVENT-08',
    'value',
    'The zeros before the number that is the id of an action are missing in that of the result.',
    {
      of: 'getTask',
      response: changeResults((event) => {
        if (/^0\d+$/.test(event.id)) event.id = String(Number(event.id));
      }),
    },
  ),
  conditionalMutant(
    'action-id-of-other-session',
    'EVENT-08',
    'several things',
    'An action whose id was sent to another session is confirmed and not carried out.',
    skipActions((request, past) =>
      past
        .listSucceeded(request, 'sendTaskEvent')
        .some((each) => each.request.task !== request.task && each.request.json.id === request.json.id),
    ),
  ),
  conditionalMutant(
    'actions-at-once-second-lost',
    'EVENT-08',
    'requests at once',
    'Of two actions sent at once to a session the second is confirmed and not carried out.',
    skipActions((request, past) =>
      [...past.pending].some((other) => other.is('sendTaskEvent') && other.task === request.task),
    ),
  ),
  conditionalMutant(
    'result-name-of-open-action',
    'EVENT-08',
    'order',
    'The result of an action that was sent while another was open has the name of that one.',
    () => {
      const names = new Map<unknown, unknown>();
      return {
        of: ['getTask', 'sendTaskEvent'],
        request: (request, past) => {
          const open = past.readTask(request).openActions.at(-1);
          if (request.is('sendTaskEvent') && open) names.set(request.json.id, open.request.json.name);
        },
        response: changeResults((event) => {
          event.name = String(names.get(event.id) ?? event.name);
        }),
      };
    },
  ),
  conditionalMutant(
    'result-name-with-max-steps',
    'EVENT-08',
    'parameters together',
    'The result of a run_task with max_steps is named browser_action.',
    {
      of: 'getTask',
      response: changeResults((event, action) => {
        if (readInput(action).max_steps !== undefined) event.name = 'browser_action';
      }),
    },
  ),
  conditionalMutant(
    'goto-where-it-is-400',
    'SESSION-06',
    'n-th request',
    'A goto to the address of the last goto results in code 400.',
    {
      of: 'getTask',
      response: changeResults((event, action, request, past) => {
        const gotos = past.readTask(request).actions.filter((each) => each.request.payload.name === 'goto');
        const at = gotos.findIndex((each) => each.request.json.id === event.id);
        const before = gotos[at - 1];
        if (at > 0 && readInput(before?.request.payload).url === readInput(action).url)
          event.payload = { code: 400, output: 'The page is there already.' };
      }),
    },
  ),
  conditionalMutant(
    'goto-drops-fragment',
    'SESSION-06',
    'value',
    'A goto drops the fragment of its address.',
    {
      of: 'sendTaskEvent',
      when: ({ payload }) => payload.name === 'goto' && String(readInput(payload).url).includes('#'),
      request: (request) => {
        const url = String(readInput(request.payload).url).replace(/#.*/, '');
        request.json = {
          ...request.json,
          payload: { ...request.payload, input: { ...readInput(request.payload), url } },
        };
      },
    },
  ),
  conditionalMutant(
    'script-falsy-is-null',
    'SESSION-08',
    'value',
    'A script whose value is false, 0 or an empty text results in null.',
    {
      of: 'getTask',
      response: changeResults((event, action) => {
        if (action?.name === 'evaluate_js') changeOutput(event, (output) => output || null);
      }),
    },
  ),
  conditionalMutant(
    'script-null-without-result',
    'EVENT-08',
    'value',
    'A script whose value is null never has a result.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        if (!Array.isArray(response.record.events)) return;
        response.record.events = listEvents(response).filter((event) => {
          if (!isResult(event) || past.readTask(request).findAction(event)?.name !== 'evaluate_js')
            return true;
          return event.payload.code !== 200 || readOutput(event) !== null;
        });
      },
    },
  ),
  conditionalMutant(
    'extract-empty-prompt-400',
    'SESSION-07',
    'value',
    'An extract with an empty prompt results in code 400.',
    {
      of: 'getTask',
      response: changeResults((event, action) => {
        if (action?.name === 'extract' && readInput(action).prompt === '')
          event.payload = { code: 400, output: 'prompt: expected some text' };
      }),
    },
  ),
  conditionalMutant(
    'close-beside-action-stays-open',
    'SESSION-10',
    'order',
    'A session that is closed before the result of an action was read is reported as running for good.',
    () => {
      const stuck = new Set<string>();
      return {
        of: ['getTask', 'sendTaskEvent'],
        request: (request, past) => {
          if (request.payload.name === 'close' && past.readTask(request).openActions.length > 0)
            stuck.add(request.task);
        },
        response: (response, request) => {
          if (!request.is('getTask') || !stuck.has(request.task)) return;
          Object.assign(response.record, {
            status: 'running',
            output: null,
            recording_url: null,
            credits_used: null,
          });
          response.status = 202;
        },
      };
    },
  ),
  conditionalMutant(
    'no-live-url-beside-action',
    'TASK-06',
    'order',
    'A session has no live_url while the result of an action is awaited.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const { record } = response;
        const results = listEvents(response).map(({ id }) => id);
        const open = past
          .readTask(request)
          .openActions.filter((each) => !results.includes(String(each.request.json.id)));
        if (open.length > 0 && record.status === 'running') record.live_url = null;
      },
    },
  ),
  conditionalMutant('timestamp-0-422', 'EVENT-03', 'value', 'An event with the timestamp 0 is refused.', {
    of: 'sendTaskEvent',
    when: ({ json }) => json.timestamp === 0,
    response: () => createRefusal(422, 'timestamp: missing'),
  }),
  conditionalMutant(
    'payload-array-accepted',
    'EVENT-05',
    'value',
    'An event whose payload is an array is confirmed.',
    confirmEvents(({ json }) => Array.isArray(json.payload)),
  ),
  conditionalMutant(
    'payload-null-accepted',
    'EVENT-05',
    'value',
    'An event whose payload is null is confirmed.',
    confirmEvents(({ json }) => json.payload === null),
  ),
  conditionalMutant(
    'event-name-of-other-case',
    'EVENT-05',
    'similar id',
    'An event whose name has capital letters is confirmed.',
    confirmEvents(({ json }) =>
      /^(browser_action|session_action|tool_call)$/.test(String(json.name).toLowerCase()),
    ),
  ),
  conditionalMutant(
    'failing-beside-action-400',
    'ERROR-09',
    'order',
    'An action without what it needs is refused with 400 while the result of another is awaited.',
    {
      of: 'sendTaskEvent',
      when: (request, past) =>
        !hasRequiredInput(request.payload) && past.readTask(request).openActions.length > 0,
      request: ({ json }) =>
        json.name === 'tool_call' ? undefined : createRefusal(400, 'Something is missing.'),
    },
  ),
  conditionalMutant(
    'error-output-null-after-success',
    'EVENT-12',
    'order',
    'The output of a result with an error code is null in a session that has had a success.',
    {
      of: 'getTask',
      response: changeResults((event, _, request, past) => {
        const had = past.readTask(request).events.some((each) => isResult(each) && each.payload.code === 200);
        if (had && event.payload.code !== 200) event.payload.output = null;
      }),
    },
  ),
];

/** Changes results of actions in polls. */
function changeResults(
  change: (
    event: LooseEvent,
    action: LooseRecord | undefined,
    request: MutantRequest,
    past: RequestHistory,
  ) => void,
): NonNullable<ConditionalFault['response']> {
  return (response, request, past) => {
    if (!request.is('getTask')) return;
    for (const event of listEvents(response))
      if (isResult(event)) change(event, past.readTask(request).findAction(event), request, past);
  };
}

/** Actions that are confirmed and go nowhere. */
function skipActions(when: NonNullable<ConditionalFault['when']>): ConditionalFault {
  return {
    of: 'sendTaskEvent',
    when: (request, past) => request.json.name !== 'tool_call' && when(request, past),
    request: ({ json }) => new MutantResponse(200, { r: { id: json.id } }),
  };
}

/** Events that are confirmed where 422 is right. */
function confirmEvents(when: (request: MutantRequest) => boolean): ConditionalFault {
  return {
    of: 'sendTaskEvent',
    when,
    error: (response, { json }) =>
      response.status === 422 ? new MutantResponse(200, { r: { id: json.id ?? 'event' } }) : undefined,
  };
}

function readInput(action: LooseRecord | undefined): LooseRecord {
  return isRecord(action?.input) ? action.input : {};
}

const NEEDED: Readonly<Record<string, string>> = {
  goto: 'url',
  extract: 'schema',
  evaluate_js: 'js',
  run_task: 'task',
};

function hasRequiredInput(action: LooseRecord): boolean {
  const field = NEEDED[String(action.name)];
  return action.name === 'close' || (field !== undefined && field in readInput(action));
}

/** The value of a result: it may stand in an object with what it cost (open point `event.result-shape`). */
function readOutput({ payload: { output } }: LooseEvent): unknown {
  return isRecord(output) && 'output' in output && 'credits_used' in output ? output.output : output;
}

function changeOutput(event: LooseEvent, change: (output: unknown) => unknown): void {
  const output = change(readOutput(event));
  const whole = event.payload.output;
  event.payload.output = isRecord(whole) && readOutput(event) !== whole ? { ...whole, output } : output;
}
