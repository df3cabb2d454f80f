import { readTask } from './read-task.js';
import type { Effect, Message, Open, Request, State } from './state.js';

export type Step = [State, Effect[]];

/** Opens a request: its key says which. */
export function open([state, effects]: Step, request: Request): Step {
  const opened = new Map(state.open).set(request.key, { request, tries: 0, wasLost: false });
  return [{ ...state, open: opened }, [...effects, request]];
}

export function fail(state: State, problem: string): Step {
  return [{ ...state, phase: 'failed', problem }, [{ type: 'finish' }]];
}

export function poll(step: Step): Step {
  const [state] = step;
  return open(step, {
    type: 'request',
    key: 'poll',
    method: 'GET',
    path: `/task/${state.id}?event_t=${state.cursor}`,
  });
}

function stop(step: Step): Step {
  const [state, effects] = step;
  if (state.isStopping) return step;
  const stopping = { ...state, isStopping: true };
  return open([stopping, effects], {
    type: 'request',
    key: 'stop',
    method: 'DELETE',
    path: `/task/${state.id}`,
  });
}

/** Sends the next action, or closes, when nothing else is to be awaited. */
export function proceed(step: Step, at: number, bug: string | undefined): Step {
  const [state, effects] = step;
  if (state.phase !== 'open' || state.current || state.status !== 'running' || state.isStopping) return step;
  const [action, ...rest] = state.actions;
  if (!action) return state.job.close === 'delete' ? stop(step) : step;
  const id = `${state.id}:${state.sent + 1}`;
  const name = String(action.payload['name']);
  const payload =
    bug === 'script-is-trimmed'
      ? JSON.parse(JSON.stringify(action.payload), (_, value) =>
          typeof value === 'string' ? value.trim() : value,
        )
      : action.payload;
  const sending = { ...state, actions: rest, sent: state.sent + 1, current: { id, name, kind: action.name } };
  const body = { id, name: action.name, payload, timestamp: at };
  return open([sending, effects], {
    type: 'request',
    key: `action ${id}`,
    method: 'POST',
    path: `/task/${state.id}/event`,
    body,
  });
}

/** The reducer: what a message changes, and what is to be done because of it. */
export function step(state: State, message: Message, bug: string | undefined): Step {
  if (message.type === 'resume' && state.phase === 'failed' && state.id)
    return poll([{ ...state, phase: 'open', problem: undefined }, []]);
  if (state.phase === 'over' || state.phase === 'failed') return [state, []];
  switch (message.type) {
    case 'start': {
      const { request, deadline_ms, cancel_after_ms } = state.job;
      const timer: Effect = { type: 'timer', key: 'deadline', ms: Math.floor(0.9 * deadline_ms) };
      const early: Effect[] =
        bug === 'cancel-in-creation' && cancel_after_ms !== null
          ? [{ type: 'timer', key: 'cancel', ms: cancel_after_ms }]
          : [];
      return open([state, [timer, ...early]], {
        type: 'request',
        key: 'create',
        method: 'POST',
        path: '/task',
        body: request,
      });
    }
    case 'timer':
      return onTimer(state, message.key, bug);
    case 'ran': {
      if (state.isStopped) return [state, []];
      const { id, outcome, at } = message;
      const payload =
        bug === 'falsy-reply-is-null' ? { ...outcome, output: outcome.output || null } : outcome;
      const replyId = bug === 'reply-has-own-id' ? `reply-${id}` : id;
      return open([{ ...state, lastOutcome: payload }, []], {
        type: 'request',
        key: `reply ${id}`,
        method: 'POST',
        path: `/task/${state.id}/event`,
        body: { id: replyId, name: 'tool_call', payload, timestamp: at },
      });
    }
    case 'received':
      return onReceived(state, message, bug);
    default:
      return [state, []];
  }
}

function onTimer(state: State, key: string, bug: string | undefined): Step {
  if (key === 'deadline') return fail(state, `The task is ${state.status ?? 'not created'} at the deadline.`);
  if (key === 'poll') return poll([state, []]);
  if (key === 'cancel') {
    if (state.phase === 'creating') return [state, []];
    if (
      bug === 'cancel-when-idle' &&
      (state.current || [...state.open.keys()].some((name) => name !== 'poll'))
    )
      return [state, []];
    return stop([state, []]);
  }
  const again = state.open.get(key.replace(/^again /, ''));
  if (!again) return [state, []];
  const isReply = again.request.key.startsWith('reply ');
  const request =
    bug === 'one-outcome-slot' && isReply
      ? { ...again.request, body: { ...again.request.body, payload: state.lastOutcome } }
      : again.request;
  return [state, [request]];
}

type Received = Extract<Message, { type: 'received' }>;

function onReceived(state: State, message: Received, bug: string | undefined): Step {
  const { key, status, waitMs } = message;
  const entry = state.open.get(key);
  if (!entry) return [state, []];
  const isOk = status >= 200 && status < 300;
  const r = message.r ?? (isOk && bug === 'cut-body-is-empty' ? {} : undefined);
  if (isOk && (r !== undefined || key === 'stop'))
    return onAccepted(close(state, key), { ...message, r }, bug);
  const isLost = isOk || status === 0 || status >= 500;
  const tries = entry.tries + 1;
  const canRepeat = tries < 8 && (status === 429 || (isLost && key !== 'create'));
  if (!canRepeat) return onRefused(close(state, key), entry, message, bug);
  const next: Open = { ...entry, tries, wasLost: entry.wasLost || isLost };
  const forgets = bug === 'lost-poll-forgets-action' && key === 'poll' && isLost;
  const waiting = {
    ...state,
    open: new Map(state.open).set(key, next),
    ...(forgets && { current: undefined }),
  };
  if (bug === 'limited-poll-is-not-repeated' && key === 'poll' && status === 429) return [waiting, []];
  const backOff =
    bug === 'blank-retry-after-is-zero' && status === 429 ? 0 : Math.min(200 * 2 ** tries, 5000);
  return [waiting, [{ type: 'timer', key: `again ${key}`, ms: waitMs ?? backOff }]];
}

function close(state: State, key: string): State {
  const left = new Map(state.open);
  left.delete(key);
  return { ...state, open: left };
}

function onAccepted(state: State, { key, r, status, at }: Received, bug: string | undefined): Step {
  if (key === 'create') {
    const liveUrl = r.live_url ?? null;
    const created: State = { ...state, phase: 'open', id: r.id, status: r.status, liveUrl };
    const ms = state.job.cancel_after_ms;
    const timers: Effect[] =
      ms === null || bug === 'cancel-in-creation' ? [] : [{ type: 'timer', key: 'cancel', ms }];
    return proceed(poll([created, timers]), at, bug);
  }
  if (key === 'poll') return readTask(state, r, status, at, bug);
  if (key === 'stop') return [{ ...state, isStopped: true }, []];
  if (key.startsWith('reply ') && bug === 'known-when-answered')
    return [{ ...state, handled: new Set(state.handled).add(key.slice(6)) }, []];
  return [state, []];
}

function onRefused(state: State, entry: Open, { key, status, at }: Received, bug: string | undefined): Step {
  const problem = `${entry.request.method} ${key}: ${status === 0 ? 'no response' : `HTTP ${status}`}`;
  if (key === 'create' && bug === 'refused-creation-is-ignored') return [state, []];
  if (key === 'poll' && bug === 'unauthorised-is-cancelled' && (status === 401 || status === 403))
    return [{ ...state, phase: 'over', status: 'cancelled' }, [{ type: 'finish' }]];
  if (key === 'create' || key === 'poll') return fail(state, problem);
  if (key === 'stop') return bug === 'refused-cancel-is-error' ? fail(state, problem) : [state, []];
  if (key.startsWith('reply ') && bug === 'conflict-is-failed-tool' && status === 409)
    return step(
      state,
      { type: 'ran', id: key.slice(6), outcome: { code: 500, output: 'conflict' }, at },
      undefined,
    );
  if (key.startsWith('reply ') || entry.wasLost) return [state, []];
  return [{ ...state, refused: { problem, pollsLeft: 2 } }, []];
}
