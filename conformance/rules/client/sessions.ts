import { type Operation, operations } from '../../../spec/generated/operations.js';
import type { ActionName } from '../../../spec/vocabulary.js';
import { asFields, field, show } from '../../conversation/json.js';
import type { Moment, ReadExchange } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import { defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';

/** What the input of each action has to hold. Section "Session action payloads". */
const NEEDED: Partial<
  Record<ActionName, { field: string; fits: (value: unknown) => boolean; form: string }>
> = {
  goto: { field: 'url', fits: isText, form: 'a text' },
  extract: { field: 'schema', fits: (value) => asFields(value) !== undefined, form: 'a JSON Schema object' },
  evaluate_js: { field: 'js', fits: isText, form: 'a text' },
  run_task: { field: 'task', fits: isText, form: 'a text' },
};

const DEPRECATED = Object.values<Operation>(operations)
  .filter(({ deprecated }) => deprecated)
  .map(({ id }) => id);

/** What is sent to a session, and when. Sections "Session action payloads" and "Events". */
export const sessionRules = defineRules({ side: 'client', scope: 'task' }, [
  {
    id: 'actions/input',
    requirements: ['SESSION-03'],
    level: 'must',
    title: 'The input of an action holds what it needs.',
    only: ['sendTaskEvent'],
    check: wrongInput,
  },
  {
    id: 'actions/after-close',
    requirements: ['SESSION-02'],
    level: 'must',
    title: 'The close is the last action of a session.',
    only: ['sendTaskEvent', 'deleteTask'],
    start: afterClose,
  },
  {
    id: 'actions/after-the-end',
    requirements: ['CLIENT-01'],
    level: 'must',
    title: 'A task that is over is sent no actions.',
    only: ['sendTaskEvent'],
    check: afterTheEnd,
  },
  {
    side: 'client',
    scope: 'stream',
    id: 'requests/deprecated',
    requirements: ['VERSION-03'],
    level: 'advice',
    title: 'Operations that are deprecated are not used.',
    only: DEPRECATED,
    check: (exchange) => {
      const name = exchange.operationName;
      const message = `${name} is deprecated: it may go.${exchange.is('updateTask') ? ' Reply with POST /task/{task_id}/event.' : ''}`;
      return { message, about: name };
    },
  },
]);

function wrongInput(exchange: ReadExchange): Judgement {
  const name = actionOf(exchange);
  const needed = name !== undefined && Object.hasOwn(NEEDED, name) ? NEEDED[name as ActionName] : undefined;
  if (!needed) return undefined;
  const payload = asFields(exchange.sent?.payload);
  const value = field(payload?.input, needed.field);
  if (needed.fits(value)) return undefined;
  const beside =
    field(payload, needed.field) !== undefined ? ` It stands beside "input" and belongs inside.` : '';
  const message = `The input of ${name} has ${show(value)} for "${needed.field}", and has to have ${needed.form}.${beside}`;
  return { message, about: name! };
}

/** Name of the action that is sent, the close apart. */
function actionOf({ action }: ReadExchange): string | undefined {
  const name = field(action?.payload, 'name');
  return typeof name === 'string' && name !== 'close' ? name : undefined;
}

/** An action that is tried again was under way before something else came. */
function isFirstTry({ sent }: ReadExchange, task: TaskConversation): boolean {
  return typeof sent?.id !== 'string' || !task.actions.has(sent.id);
}

function afterClose({ task }: RuleContext): Watcher {
  let closed: Moment | undefined;
  return {
    see(exchange) {
      const before = closed;
      const closes = exchange.isClose || exchange.is('deleteTask');
      if (closes && exchange.ok && !exchange.unclear) closed ??= exchange.moment;
      const name = actionOf(exchange);
      if (name === undefined || !before || !exchange.couldKnow(before) || !isFirstTry(exchange, task))
        return undefined;
      const message = `The action ${name} is sent although the session was closed in exchange ${before.seq}. The close comes last, once every action has its result.`;
      return { message, evidence: [before.seq, exchange.seq] };
    },
  };
}

function afterTheEnd(exchange: ReadExchange, task: TaskConversation): Judgement {
  const { polledEnd, stop, isDataDeleted } = task;
  const name = actionOf(exchange);
  if (name === undefined || !polledEnd || !exchange.couldKnow(polledEnd)) return undefined;
  // A client that goes on after a close of its own breaks another rule.
  if ((stop && !isDataDeleted) || !isFirstTry(exchange, task)) return undefined;
  const message = `The action ${name} is sent although the task was "${polledEnd.status}" in the response to exchange ${polledEnd.seq}. Nothing can come of it any more: drop what is pending once the task is over.`;
  return { message, evidence: [polledEnd.seq, exchange.seq] };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
