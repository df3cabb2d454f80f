import type { RequirementId } from '../../../spec/generated/documents.js';
import { ACTIONS, type ActionName, isTerminal } from '../../../spec/vocabulary.js';
import { asFields, type Fields, field, show } from '../../conversation/json.js';
import type { Moment, ReadExchange } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import { type Complaint, defineRules, type RuleContext, type Watcher } from '../rule.js';

/** A session stays open at least so long when the client is silent, ms. How long in all is left open. */
const IDLE_MS = 10_000;

/** A session that was closed may take so long to be over, ms. */
const CLOSES_WITHIN_MS = 30_000;

/** Whether the input of an action has what it needs. Section "Session action payloads". */
const NEEDS: Readonly<
  Record<ActionName, { requirement: RequirementId; has(input: Fields | undefined): boolean }>
> = {
  goto: { requirement: 'SESSION-06', has: (input) => /^https?:\/\//.test(String(field(input, 'url'))) },
  extract: { requirement: 'SESSION-07', has: (input) => asFields(field(input, 'schema')) !== undefined },
  evaluate_js: { requirement: 'SESSION-08', has: (input) => isText(field(input, 'js')) },
  run_task: { requirement: 'SESSION-09', has: (input) => isText(field(input, 'task')) },
  close: { requirement: 'SESSION-10', has: () => true },
};

/** Sessions. Sections "Events", rule 7, and "Session action payloads". */
export const sessionRules = defineRules({ side: 'service', level: 'must', scope: 'task' }, [
  {
    id: 'sessions/stays-open',
    requirements: ['SESSION-01'],
    title: 'A session runs until it is closed.',
    start: staysOpen,
  },
  ...(Object.keys(ACTIONS) as ActionName[]).map((action) => ({
    id: `sessions/takes-${action.replace('_', '-')}`,
    requirements: [NEEDS[action].requirement] as const,
    title: `An open session takes a ${action}.`,
    start: (context: RuleContext) => takes(context, action),
  })),
  {
    id: 'sessions/closes',
    requirements: ['SESSION-10'],
    title: 'A session that was closed is open no more.',
    start: closes,
  },
]);

function staysOpen({ task, kept }: RuleContext): Watcher {
  let activeAt = 0;
  let asked: Moment | undefined;
  let early: Complaint | undefined;
  return {
    see(exchange) {
      const { at, status } = exchange;
      const { end } = task;
      // A close that was under way when the end was read has its part in it.
      if ((exchange.isClose || exchange.is('deleteTask', 'deleteTaskData')) && end && at <= end.respondedAt)
        early = undefined;
      if (exchange.is('createTask', 'sendTaskEvent')) {
        activeAt = Math.max(activeAt, at);
        asked = exchange.moment;
      }
      if (!exchange.is('getTask') || !task.creation?.isSession || task.stop) return undefined;
      if (status === 'running') kept(exchange.seq);
      if (end || status !== 'done' || at - activeAt > IDLE_MS) return undefined;
      const message = `A session that nobody closed is "done" ${at - activeAt} ms after the client's last request to it: it has to wait for actions.`;
      early = { message, evidence: [asked?.seq ?? exchange.seq, exchange.seq] };
      return undefined;
    },
    end: () => (early ? [early] : []),
  };
}

type Refused = Moment & { id: string; status: number };

/** A whole action is refused, and the session is open afterwards. Kept where its result says that it was carried out. */
function takes({ task }: RuleContext, action: ActionName): Watcher {
  const refused: Refused[] = [];
  const found: Complaint[] = [];
  function note(exchange: ReadExchange): void {
    const { sent } = exchange;
    if (!isWhole(action, sent) || !exchange.isRefused || refused.length >= 100) return;
    const id = sent?.id as string;
    const isOpen =
      task.creation?.isSession === true && task.latest?.status === 'running' && task.wasActive(exchange);
    if (!isOpen || task.stop || task.actions.has(id)) return;
    refused.push({ ...exchange.moment, id, status: exchange.httpStatus });
  }
  function check(exchange: ReadExchange): void {
    if (!exchange.is('getTask') || exchange.status !== 'running') return;
    for (const each of refused.splice(0)) {
      if (!exchange.couldKnow(each)) refused.push(each);
      else {
        const message = `The ${action} ${show(each.id)} was refused with ${each.status} by a session that is running before and afterwards: it has to be taken.`;
        found.push({ message, evidence: [each.seq, exchange.seq], about: each.id });
      }
    }
  }
  return {
    kept: () => done(task, action),
    see(exchange) {
      note(exchange);
      check(exchange);
      return found.splice(0);
    },
  };
}

function isWhole(action: ActionName, sent: ReadExchange['sent']): boolean {
  const payload = asFields(sent?.payload);
  if (payload?.name !== action || sent?.name !== ACTIONS[action]) return false;
  if (typeof sent.id !== 'string' || sent.id === '' || !Number.isInteger(sent.timestamp)) return false;
  return NEEDS[action].has(asFields(payload.input));
}

function done(task: TaskConversation, action: ActionName): number[] {
  const seqs = [...task.actionResults()].flatMap(({ action: { name }, result }) =>
    name === action && result.event.payload?.code === 200 ? [result.seq] : [],
  );
  const { end } = task;
  const isClosed = [...task.actions.values()].some(({ name, accepted }) => name === 'close' && accepted);
  return action === 'close' && end && !task.isDeletedWhileActive && isClosed ? [...seqs, end.seq] : seqs;
}

function closes({ task }: RuleContext): Watcher {
  let closed: Moment | undefined;
  return {
    see(exchange) {
      const isClose = isWhole('close', exchange.sent) && exchange.ok;
      if (isClose && task.wasActive(exchange)) closed ??= exchange.moment;
      if (!closed || !exchange.is('getTask') || !exchange.couldKnow(closed)) return undefined;
      const { status } = exchange;
      if (!status || !task.creation?.isSession) return undefined;
      if (isTerminal(status)) return 'kept';
      const afterMs = exchange.at - closed.respondedAt;
      if (afterMs < CLOSES_WITHIN_MS) return undefined;
      const message = `The session took a close and is "${status}" ${afterMs} ms later: it has to be over.`;
      return { message, evidence: [closed.seq, exchange.seq] };
    },
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
