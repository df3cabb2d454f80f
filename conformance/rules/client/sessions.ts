import { type Operation, operations } from '../../../spec/generated/operations.js';
import type { ActionName } from '../../../spec/vocabulary.js';
import { asFields, field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { Complaint, Judgement, Rule, RuleContext, Watcher } from '../rule.js';

const COMMON = { side: 'client', scope: 'task' } as const;

/** Ids of actions that are remembered of a task. */
const MOST_IDS = 10_000;

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
export const sessionRules: readonly Rule[] = [
  {
    ...COMMON,
    id: 'actions/input',
    requirements: ['SESSION-03'],
    level: 'must',
    title: 'The input of an action holds what it needs.',
    only: ['sendTaskEvent'],
    check: wrongInput,
  },
  {
    ...COMMON,
    id: 'actions/after-close',
    requirements: ['SESSION-02'],
    level: 'must',
    title: 'The close is the last action of a session.',
    only: ['sendTaskEvent', 'deleteTask'],
    start: afterClose,
  },
  {
    ...COMMON,
    id: 'actions/after-the-end',
    requirements: ['CLIENT-01'],
    level: 'must',
    title: 'A task that is over is sent no actions.',
    only: ['sendTaskEvent', 'deleteTask'],
    start: afterTheEnd,
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
      const operation = exchange.operation!;
      const name = `${operation.method} ${operation.path}`;
      const message = `${name} is deprecated: it may go.${operation.id === 'updateTask' ? ' Reply with POST /task/{task_id}/event.' : ''}`;
      return { message, about: name };
    },
  },
];

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

/** Tells the first try of an action from those after it, which were under way before something else came. */
class Tries {
  readonly #ids = new Set<string>();

  isFirst({ sent }: ReadExchange): boolean {
    if (typeof sent?.id !== 'string') return true;
    if (this.#ids.has(sent.id)) return false;
    if (this.#ids.size < MOST_IDS) this.#ids.add(sent.id);
    return true;
  }
}

function afterClose(): Watcher {
  const tries = new Tries();
  let closed: { seq: number; answeredAt: number } | undefined;
  return {
    see(exchange) {
      const name = actionOf(exchange);
      const isNew = name !== undefined && tries.isFirst(exchange);
      const isLate = isNew && closed !== undefined && exchange.couldKnow(closed);
      const complaints: Complaint[] = isLate
        ? [
            {
              message: `The action ${name} is sent although the session was closed in exchange ${closed!.seq}. The close comes last, once every action has its result.`,
              evidence: [closed!.seq, exchange.seq],
            },
          ]
        : [];
      const closes = exchange.isClose || exchange.is('deleteTask');
      if (closes && exchange.ok && !exchange.unclear)
        closed ??= { seq: exchange.seq, answeredAt: exchange.answeredAt };
      return complaints;
    },
  };
}

function afterTheEnd({ task }: RuleContext): Watcher {
  const tried = new Set<unknown>();
  let closed = false;
  return {
    see(exchange) {
      const name = actionOf(exchange);
      // What was begun in time may be tried again: whoever repeats requests need not know of tasks.
      const isFirstTry = !tried.has(exchange.sent?.id);
      if (exchange.sent) tried.add(exchange.sent.id);
      const isLate = name !== undefined && isFirstTry && !closed && task.isEndKnownTo(exchange);
      const complaints: Complaint[] = isLate
        ? [
            {
              message: `The action ${name} is sent although the task was "${task.polledEnd?.status}" in the answer to exchange ${task.polledEnd?.seq}. Nothing can come of it any more: drop what is pending once the task is over.`,
              evidence: [task.polledEnd!.seq, exchange.seq],
            },
          ]
        : [];
      // Who goes on after a close of its own is told so by another rule.
      if (exchange.isClose || exchange.is('deleteTask')) closed = true;
      return complaints;
    },
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
