import { ACTIONS } from '../../../spec/vocabulary.js';
import type { Mutant } from '../mutant.js';
import {
  changeEventLists,
  changeResults,
  isOver,
  isResult,
  type LooseEvent,
  listEvents,
} from '../operators/events.js';
import { changeRequests, type Interception, mutant } from '../operators/make.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, isRecord, MutantResponse } from '../operators/mutant-response.js';

/** Sessions: actions, their results, and the end. */
export const sessionMutants: readonly Mutant[] = [
  mutant('session-ends-by-itself', 'SESSION-01', 'A session is done a moment after it was opened.', () => {
    const sessions = new Map<unknown, number>();
    return async (request, next) => {
      const response = await next(request);
      if (request.is('createTask') && request.json.task == null && response.ok)
        sessions.set(response.record.id, 0);
      const times = sessions.get(request.task);
      if (!request.is('getTask') || times === undefined) return response;
      sessions.set(request.task, times + 1);
      if (times === 0 || isOver(response.record)) return response;
      response.status = 200;
      Object.assign(response.record, { status: 'done', output: null, recording_url: '', credits_used: 1 });
      return response;
    };
  }),
  mutant('session-carries-out-null', 'SESSION-01', 'A task whose text is null fails.', () => {
    const sessions = new Set<unknown>();
    return async (request, next) => {
      const response = await next(request);
      if (request.is('createTask') && request.json.task == null) sessions.add(response.record.id);
      if (request.is('getTask') && sessions.has(request.task) && response.status === 202) {
        response.status = 200;
        Object.assign(response.record, {
          status: 'failed',
          output: null,
          recording_url: '',
          credits_used: 1,
        });
      }
      return response;
    };
  }),
  ...(
    [
      ['goto', 'SESSION-06'],
      ['extract', 'SESSION-07'],
      ['evaluate_js', 'SESSION-08'],
      ['run_task', 'SESSION-09'],
    ] as const
  ).flatMap(([name, requirement]) => {
    const id = name.replace('_', '-');
    return [
      mutant(
        `${id}-refused`,
        requirement,
        `A session refuses every ${name} with 400.`,
        changeRequests('sendTaskEvent', (request) =>
          request.payload.name === name ? createRefusal(400, `There is no action ${name}.`) : undefined,
        ),
      ),
      mutant(
        `${id}-never-answered`,
        'EVENT-08',
        `A ${name} is confirmed and never has a result.`,
        changeRequests('sendTaskEvent', (request) =>
          request.payload.name === name ? new MutantResponse(200, { r: { id: request.json.id } }) : undefined,
        ),
      ),
    ];
  }),
  mutant(
    'malformed-action-never-answered',
    'EVENT-08',
    'A malformed action is confirmed and never has a result.',
    changeRequests('sendTaskEvent', (request) =>
      isMalformed(request) ? new MutantResponse(200, { r: { id: request.json.id } }) : undefined,
    ),
  ),
  mutant(
    'results-swapped',
    'EVENT-08',
    'Of two actions under way each result has the output of the other.',
    swapResults,
  ),
  mutant(
    'extract-prompt-required',
    'SESSION-07',
    'An extract without a prompt is refused.',
    changeRequests('sendTaskEvent', (request) => {
      const { name, input } = request.payload;
      const lacking = name === 'extract' && (input as { prompt?: unknown } | undefined)?.prompt == null;
      return lacking ? createRefusal(422, 'prompt is required') : undefined;
    }),
  ),
  mutant(
    'evaluate-js-args-refused',
    'SESSION-08',
    'An evaluate_js with args is refused.',
    changeRequests('sendTaskEvent', (request) => {
      const { name, input } = request.payload;
      const given = name === 'evaluate_js' && (input as { args?: unknown } | undefined)?.args != null;
      return given ? createRefusal(422, 'args is not known') : undefined;
    }),
  ),
  mutant(
    'run-task-max-steps-required',
    'SESSION-09',
    'A run_task without max_steps is refused.',
    changeRequests('sendTaskEvent', (request) => {
      const { name, input } = request.payload;
      const lacking =
        name === 'run_task' && (input as { max_steps?: unknown } | undefined)?.max_steps == null;
      return lacking ? createRefusal(422, 'max_steps is required') : undefined;
    }),
  ),
  mutant(
    'run-task-max-steps-refused',
    'SESSION-09',
    'A run_task with max_steps is refused.',
    changeRequests('sendTaskEvent', (request) => {
      const { name, input } = request.payload;
      const given = name === 'run_task' && (input as { max_steps?: unknown } | undefined)?.max_steps != null;
      return given ? createRefusal(422, 'max_steps is not known') : undefined;
    }),
  ),
  mutant(
    'close-ignored',
    'SESSION-10',
    'A close is confirmed and the session stays open.',
    changeRequests('sendTaskEvent', (request) =>
      request.payload.name === 'close' ? new MutantResponse(200, { r: { id: request.json.id } }) : undefined,
    ),
  ),
  mutant(
    'close-answered-and-ignored',
    'SESSION-10',
    'A close has a result and the session stays open, for actions too.',
    replaceCloseResult,
  ),
  mutant(
    'close-refused',
    'SESSION-10',
    'A close is refused with 422.',
    changeRequests('sendTaskEvent', (request) =>
      request.payload.name === 'close' ? createRefusal(422, 'input is required') : undefined,
    ),
  ),
  mutant(
    'close-never-answered',
    'EVENT-08',
    'A close ends the session and never has a result.',
    changeClosed((response, close) => {
      response.record.events = listEvents(response).filter((event) => event.id !== close);
    }),
  ),
  mutant('closed-session-runs', 'SESSION-10', 'A closed session is said to run.', () => {
    const closed = new Set<string>();
    return async (request, next) => {
      if (request.is('sendTaskEvent') && request.payload.name === 'close') closed.add(request.task);
      const response = await next(request);
      if (request.is('getTask') && closed.has(request.task) && isOver(response.record)) {
        response.status = 202;
        Object.assign(response.record, { status: 'running', output: null });
      }
      return response;
    };
  }),
  mutant(
    'result-with-id-of-its-own',
    'EVENT-08',
    'The result of an action has an id of its own.',
    changeResults((result) => {
      result.id = `result-${result.id}`;
    }),
  ),
  mutant(
    'result-named-browser-action',
    'EVENT-08',
    'Every result is named browser_action.',
    changeResults((result) => {
      result.name = 'browser_action';
    }),
  ),
  mutant(
    'result-named-session-action',
    'EVENT-08',
    'Every result is named session_action.',
    changeResults((result) => {
      result.name = 'session_action';
    }),
  ),
  mutant(
    'result-twice',
    'EVENT-02',
    'The result of an action is listed a second time, 1 ms later.',
    changeEventLists((all, _due, { since }) =>
      all
        .flatMap((event) =>
          isResult(event) ? [event, { ...event, timestamp: event.timestamp + 1 }] : [event],
        )
        .filter(({ timestamp }) => timestamp > since),
    ),
  ),
  mutant(
    'result-code-text',
    'EVENT-11',
    'The code of a result is a text.',
    changeResults(({ payload }) => {
      payload.code = String(payload.code);
    }),
  ),
  mutant(
    'result-code-201',
    'EVENT-11',
    'The result of an action that succeeded has code 201.',
    changeResults(({ payload }) => {
      if (payload.code === 200) payload.code = 201;
    }),
  ),
  mutant(
    'result-code-404',
    'EVENT-11',
    'The result of an action that failed has code 404.',
    changeResults(({ payload }) => {
      if (payload.code !== 200) payload.code = 404;
    }),
  ),
  mutant(
    'result-status-in-place-of-code',
    'EVENT-11',
    'A result has a status in place of a code.',
    changeResults(({ payload }) => {
      payload.status = payload.code;
      delete payload.code;
    }),
  ),
  mutant(
    'result-without-output',
    'EVENT-11',
    'A result has a value in place of an output.',
    changeResults(({ payload }) => {
      payload.value = payload.output;
      delete payload.output;
    }),
  ),
  mutant(
    'error-without-message',
    'EVENT-12',
    'The output of a result that failed is null.',
    changeResults(({ payload }) => {
      if (payload.code !== 200) payload.output = null;
    }),
  ),
  mutant(
    'error-message-empty',
    'EVENT-12',
    'The output of a result that failed is an empty text.',
    changeResults(({ payload }) => {
      if (payload.code !== 200) payload.output = '';
    }),
  ),
  mutant(
    'error-as-result-200',
    'EVENT-12',
    'An action that cannot be carried out has code 200 and an error in its output.',
    changeResults(({ payload }) => {
      if (payload.code !== 200) Object.assign(payload, { code: 200, output: { error: payload.output } });
    }),
  ),
  mutant(
    'failed-action-as-http-error',
    'ERROR-09',
    'An action that fails in the page is answered with 400 in place of a result.',
    changeRequests('sendTaskEvent', ({ payload: { name, input } }) => {
      const text = JSON.stringify(input ?? '');
      const fails =
        (name === 'evaluate_js' && /throw /.test(text)) || (name === 'goto' && /\.invalid/.test(text));
      return fails ? createRefusal(400, 'This action failed.') : undefined;
    }),
  ),
];

function isMalformed({ json, payload: { name, input } }: MutantRequest): boolean {
  if (json.name !== 'browser_action' || typeof name !== 'string') return false;
  const given = isRecord(input) ? input : {};
  if (name === 'goto') return typeof given.url !== 'string';
  if (name === 'extract') return !isRecord(given.schema);
  return !Object.hasOwn(ACTIONS, name);
}

/** Lists the results of two actions under way once both are there, each with the payload of the other. */
function swapResults(): Interception {
  /** By the id of an action the one it was sent beside. */
  const partners = new Map<string, string>();
  const last = new Map<string, string>();
  const known = new Set<string>();
  const list = changeEventLists((all, _due, { since }) => {
    const results = new Map(all.filter(isResult).map((event) => [event.id, event]));
    for (const id of results.keys()) known.add(id);
    return all
      .flatMap((event) => {
        const id = isResult(event) ? partners.get(event.id) : undefined;
        if (id === undefined) return [event];
        const other = results.get(id);
        if (!other) return [];
        const later =
          event.timestamp < other.timestamp || (event.timestamp === other.timestamp && event.id < id);
        const timestamp = Math.max(event.timestamp, other.timestamp) + (later ? 0 : 1);
        return [{ ...event, payload: other.payload, timestamp }];
      })
      .filter(({ timestamp }) => timestamp > since)
      .sort((one, other) => one.timestamp - other.timestamp);
  })();
  return (request, next) => {
    if (request.is('sendTaskEvent') && request.json.name === 'browser_action') {
      const id = String(request.json.id);
      const before = last.get(request.task);
      const isFree = before !== undefined && before !== id && !known.has(before) && !partners.has(before);
      if (isFree) partners.set(id, before).set(before, id);
      last.set(request.task, id);
    }
    return list(request, next);
  };
}

/** Changes what polls tell of a session that was closed. */
function changeClosed(change: (response: MutantResponse, close: string) => void): () => Interception {
  return () => {
    const closes = new Map<string, string>();
    return async (request, next) => {
      if (request.is('sendTaskEvent') && request.payload.name === 'close')
        closes.set(request.task, String(request.json.id));
      const response = await next(request);
      const close = closes.get(request.task);
      if (request.is('getTask') && response.ok && close !== undefined) change(response, close);
      return response;
    };
  };
}

/** Answers a close with a result of its own making. */
function replaceCloseResult({ now }: { now(): number }): Interception {
  const closes = new Map<string, LooseEvent>();
  return async (request, next) => {
    if (request.is('sendTaskEvent') && request.payload.name === 'close') {
      const id = String(request.json.id);
      closes.set(request.task, {
        id,
        name: 'session_action',
        payload: { code: 200, output: true },
        timestamp: now(),
      });
      return new MutantResponse(200, { r: { id } });
    }
    const response = await next(request);
    const close = closes.get(request.task);
    if (request.is('getTask') && close && close.timestamp > request.since)
      response.record.events = [...listEvents(response), close].sort(
        (one, other) => one.timestamp - other.timestamp,
      );
    return response;
  };
}
