import type { Mutant } from '../mutant.js';
import { changeResults, isOver, isResult, type LooseEvent, listEvents } from '../operators/events.js';
import { type Interception, mutant } from '../operators/make.js';
import { createRefusal } from '../operators/mutant-response.js';

/** What comes of actions and tasks: data, errors, and what is left of it a moment later. */
export const outcomeMutants: readonly Mutant[] = [
  mutant(
    'script-error-200',
    'EVENT-12',
    'A script that throws has a result of code 200.',
    changeResultsNamed('evaluate_js', ({ payload }) => {
      if (payload.code !== 200) Object.assign(payload, { code: 200, output: null });
    }),
  ),
  mutant(
    'script-error-text-200',
    'EVENT-12',
    'A script that throws has a result of code 200 with the message of the error.',
    changeResultsNamed('evaluate_js', ({ payload }) => {
      payload.code = 200;
    }),
  ),
  ...[
    ['8-kb', 6_000],
    ['64-kb', 50_000],
  ].map(([name, most]) =>
    mutant(
      `long-value-cut-${name}`,
      'EVENT-12',
      `The value of a script has at most ${most} characters.`,
      changeResultsNamed('evaluate_js', ({ payload }) => {
        const text = JSON.stringify(payload.output);
        if (text.length > Number(most)) payload.output = text.slice(0, Number(most));
      }),
    ),
  ),
  mutant(
    'extract-text',
    'SESSION-07',
    'An extract gives a text for an object.',
    changeExtracted(() => 'Title: A'),
  ),
  mutant(
    'extract-number',
    'SESSION-07',
    'An extract gives a number for an object.',
    changeExtracted(() => 7),
  ),
  mutant(
    'extract-list',
    'SESSION-07',
    'An extract gives a list for an object.',
    changeExtracted((data) => [data]),
  ),
  mutant(
    'extract-empty',
    'SESSION-07',
    'An extract leaves required properties out.',
    changeExtracted(() => ({})),
  ),
  mutant(
    'extract-other-type',
    'SESSION-07',
    'An extract gives null for a text.',
    changeExtracted(() => ({ title: null })),
  ),
  mutant(
    'extract-bare-text',
    'SESSION-07',
    'An extract gives a text by itself.',
    changeResultsNamed('extract', ({ payload }) => {
      if (payload.code === 200) payload.output = 'Title: A';
    }),
  ),
  mutant(
    'error-empty-object',
    'EVENT-12',
    'The output of a result that failed is an empty object.',
    changeResults(({ payload }) => {
      if (payload.code !== 200) payload.output = {};
    }),
  ),
  mutant(
    'error-without-words',
    'EVENT-12',
    'The output of a result that failed is an object without a text.',
    changeResults(({ payload }) => {
      if (payload.code !== 200) payload.output = { output: null, credits_used: 0, duration: 0.1 };
    }),
  ),
  mutant('poll-done-404', 'TASK-01', 'A task whose end was read is not known any more.', () => {
    const over = new Set<string>();
    return async (request, next) => {
      if (request.is('getTask') && over.has(request.task))
        return createRefusal(404, 'There is no such task.');
      const response = await next(request);
      if (request.is('getTask') && isOver(response.record)) over.add(request.task);
      return response;
    };
  }),
  mutant('poll-done-with-tools-404', 'TASK-01', 'The same, for tasks that called tools alone.', () => {
    const called = new Set<string>();
    const over = new Set<string>();
    return async (request, next) => {
      if (request.is('getTask') && over.has(request.task))
        return createRefusal(404, 'There is no such task.');
      const response = await next(request);
      if (!request.is('getTask')) return response;
      if (listEvents(response).some(({ name }) => name === 'tool_call')) called.add(request.task);
      if (called.has(request.task) && isOver(response.record)) over.add(request.task);
      return response;
    };
  }),
  mutant('poll-closed-404', 'TASK-01', 'A session whose end was read is not known any more.', () => {
    const closed = new Set<string>();
    const over = new Set<string>();
    return async (request, next) => {
      if (request.is('getTask') && over.has(request.task))
        return createRefusal(404, 'There is no such task.');
      if (request.is('sendTaskEvent') && request.payload.name === 'close') closed.add(request.task);
      const response = await next(request);
      if (request.is('getTask') && closed.has(request.task) && isOver(response.record))
        over.add(request.task);
      return response;
    };
  }),
];

/** Changes results of one kind of action. */
function changeResultsNamed(name: string, change: (result: LooseEvent) => void): () => Interception {
  return () => {
    const actions = new Set<unknown>();
    return async (request, next) => {
      if (request.is('sendTaskEvent') && request.payload.name === name) actions.add(request.json.id);
      const response = await next(request);
      if (!request.is('getTask')) return response;
      for (const event of listEvents(response)) if (isResult(event) && actions.has(event.id)) change(event);
      return response;
    };
  };
}

/** Changes the data that an extract has brought, where they stand. */
function changeExtracted(change: (data: unknown) => unknown): () => Interception {
  return changeResultsNamed('extract', ({ payload }) => {
    const { code, output } = payload;
    if (code === 200)
      payload.output = { ...(output as object), output: change((output as { output: unknown }).output) };
  });
}
