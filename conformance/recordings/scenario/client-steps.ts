import { parseUrl } from '../../../spec/addresses.js';
import { showJson } from '../../../spec/show.js';
import {
  ACTIONS,
  type ActionName,
  isTerminal,
  RESULT_CODES,
  type ResultCode,
} from '../../../spec/vocabulary.js';
import { isOneOf, readField, toFields } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import {
  type ActionHistory,
  isPermanentRefusal,
  type TaskConversation,
  type ToolCall,
} from '../../conversation/task-conversation.js';
import type { ScenarioDraft } from './draft.js';
import type { RecordedTask } from './recorded-task.js';

/** A gate that never opens. */
const NO_RESULT = 'no-result';

/** Text of a client that does not have the tool. */
const UNKNOWN_TOOL =
  /\b(no|unknown|not? (a )?known|without|does not exist|not (found|available|registered))\b/i;

/** Adds the replies to calls, and the stop of the task. `calls`: step ids by event id. */
export function addClientSteps(
  recorded: RecordedTask,
  draft: ScenarioDraft,
  calls: ReadonlyMap<string, string>,
): void {
  for (const [event, step] of calls) addReply(recorded, draft, event, step);
  addStop(recorded, draft);
}

/** Adds the actions of a session. Returns their step ids by event id. */
export function addActions({ task }: RecordedTask, draft: ScenarioDraft): Map<string, string> {
  const ids = new Map<string, string>();
  for (const action of task.actions.values()) {
    const name = action.name as ActionName;
    if (!Object.hasOwn(ACTIONS, name)) {
      draft.remarks.push(
        `The client sent the action ${JSON.stringify(action.name)}, which the API does not have: it is left out.`,
      );
      continue;
    }
    const { at, seq, sent } = chooseAttempt(action);
    const id = draft.createId(name === 'close' ? 'close' : formatActionName(name, sent?.payload));
    ids.set(action.id, id);
    if (name === 'close') draft.add({ client: 'close', id }, at, seq);
    else {
      const input = toFields(readField(sent?.payload, 'input'));
      draft.add({ client: 'action', id, name, ...(input && { input: { ...input } }) }, at, seq);
    }
    if (!hasResult(task, action.id)) {
      const after = { gate: NO_RESULT };
      draft.add({ service: 'result', to: id, meanwhile: true }, at, seq + 0.1, {
        after,
        comment: 'The recording shows no result of this action: nothing opens this gate.',
      });
    }
  }
  return ids;
}

/** The stop itself creates results that arrive after it. */
function hasResult({ results, cancelled }: TaskConversation, action: string): boolean {
  const result = results.get(action);
  return result !== undefined && (cancelled === undefined || result.seq < cancelled.seq);
}

function chooseAttempt({ attempts }: ActionHistory): ReadExchange {
  return attempts.find(wasAccepted) ?? attempts[0]!;
}

/** Also if the client did not get the response: the first attempt that the service handled counts, whatever the later ones send. */
function wasAccepted({ ok, httpStatus, exchange: { upstream, network = [] } }: ReadExchange): boolean {
  if (ok) return true;
  if (upstream) return upstream.some(({ response }) => response && response.status < 300);
  return network.some(
    ({ effect, side }) =>
      side === undefined && (effect === 'lost' || (effect === 'replaced' && httpStatus >= 500)),
  );
}

/** `open` of a goto, else the action. */
function formatActionName(name: string, payload: unknown): string {
  if (name !== 'goto') return name.replace('_', '-');
  const url = readField(readField(payload, 'input'), 'url');
  const target = typeof url === 'string' ? parseUrl(url) : undefined;
  return target ? `open-${target.pathname.split('/').pop() ?? ''}` : 'open';
}

function addReply({ task }: RecordedTask, draft: ScenarioDraft, event: string, to: string): void {
  const call = task.calls.get(event)!;
  const attempts = task.replies.get(event) ?? [];
  const accepted = attempts.find(wasAccepted);
  const shown = accepted ?? task.findReply(event);
  if (shown === undefined) {
    draft.add({ client: 'reply', to, meanwhile: true }, readTime(call), call.seq, {
      comment:
        'The recording shows no reply to this call. Set the code and the output that a client would send.',
    });
    return;
  }
  const { code: sentCode, output } = shown.reply?.payload ?? {};
  const isCode = isOneOf<unknown>(RESULT_CODES, sentCode);
  const code = (isCode ? sentCode : 500) as ResultCode;
  const isRefused = accepted === undefined && attempts.some(isPermanentRefusal);
  const isLate = task.end !== undefined && shown.at > task.end.at;
  const isUnknown =
    code === 400 && typeof output === 'string' && /tool/i.test(output) && UNKNOWN_TOOL.test(output);
  draft.add(
    {
      client: 'reply',
      to,
      code,
      output,
      ...(isUnknown && { unknown_tool: true }),
      ...((isRefused || isLate) && { meanwhile: true }),
    },
    isLate ? task.end!.at - 1 : shown.at,
    isLate ? task.end!.seq - 1 : shown.seq,
    {
      comment: !isCode
        ? `The client sent the code ${showJson(sentCode)}, which the API does not have: this is a correct one.`
        : isUnknown
          ? 'The text says that the client does not have this tool. Remove unknown_tool if it does.'
          : isRefused
            ? 'The service refused this reply, so the timeline does not wait for it.'
            : undefined,
    },
  );
}

function readTime({ event, respondedAt }: ToolCall): number {
  return event.timestamp ?? respondedAt;
}

/** Adds the DELETE that ended the task, unless it was sent after the end. */
function addStop({ exchanges, task }: RecordedTask, draft: ScenarioDraft): void {
  const { end, cancelled, wasCancelledActive, isSession } = task;
  const stop = exchanges.find((each) => each.is('deleteTask') && wasAccepted(each));
  if (!stop) return;
  if (stop === cancelled && !wasCancelledActive && end?.status !== 'cancelled') return;
  if (end && isTerminal(end.status) && end.at < stop.at) return;
  const isIdle = [...task.actions.keys()].every((id) => hasResult(task, id));
  if (isSession && isIdle && task.actions.size > 0)
    draft.add({ client: 'close', by: 'delete' }, stop.at, stop.seq);
  else draft.add({ client: 'cancel' }, stop.at, stop.seq, { after: { time_ms: Number.NaN } });
}
