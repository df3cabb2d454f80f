import { addResult, type Effect, isRunning, type Json, type State } from './state.js';
import { fail, proceed, type Step } from './step.js';

type Listed = { id: string; name: string; timestamp: number; payload: Record<string, Json> };

function readOutput(output: Json, bug: string | undefined): Json {
  if (bug === 'structured-output-is-text' && typeof output === 'object' && output)
    return JSON.stringify(output);
  if (bug === 'emoji-is-replaced' && typeof output === 'string')
    return output.replace(/[\u{10000}-\u{10ffff}]/gu, '?');
  return output ?? null;
}

/** What a poll response changes. */
export function readTask(state: State, task: Json, http: number, at: number, bug: string | undefined): Step {
  if (bug === 'waiting-is-unexpected' && task.status === 'waiting')
    return fail(state, 'Unexpected status waiting.');
  const status = bug === 'http-200-is-done' && http === 200 ? 'done' : (task.status ?? null);
  const output = readOutput(task.output, bug);
  const liveUrl = task.live_url ?? state.liveUrl;
  let isOver = !isRunning(status);
  if (bug === 'done-needs-output' && status === 'done' && output === null) isOver = false;
  const hasToClose = state.job.request['task'] === null && state.job.close !== null;
  if (
    bug === 'session-needs-close' &&
    hasToClose &&
    !state.isStopping &&
    (state.current || state.actions.length > 0)
  )
    isOver = false;

  let next: State = { ...state, status, output, liveUrl };
  const effects: Effect[] = [];
  const listed: Listed[] = task.events ?? [];
  for (const event of bug === 'last-event-counts' ? listed.slice(-1) : listed) {
    if (bug === 'not-later-is-old' && event.timestamp <= next.cursor) continue;
    const [changed, more] = readEvent(next, event, isOver, bug);
    const cursor = bug === 'cursor-counts-events' ? next.cursor + 1 : Math.max(next.cursor, event.timestamp);
    next = { ...changed, cursor };
    effects.push(...more);
  }
  if (isOver) return [{ ...next, phase: 'over' }, [{ type: 'finish' }]];
  if (next.refused) {
    const pollsLeft = next.refused.pollsLeft - 1;
    if (pollsLeft === 0) return fail(next, next.refused.problem);
    next = { ...next, refused: { ...next.refused, pollsLeft } };
  }
  const isAtOnce = bug === 'polls-at-once-after-events' && listed.length > 0;
  const ms = bug === 'waits-5-s' ? 5000 : 600;
  return proceed([next, [...effects, { type: 'timer', key: 'poll', ms: isAtOnce ? 20 : ms }]], at, bug);
}

function readEvent(state: State, event: Listed, isOver: boolean, bug: string | undefined): Step {
  const { id, name, payload } = event;
  const { current } = state;
  const isOfCurrent =
    bug === 'result-by-kind' ? name === current?.kind : id === current?.id && !state.handled.has(id);
  if ('code' in payload && name !== 'tool_call' && current && isOfCurrent) {
    const code = bug === 'bad-request-is-500' && payload['code'] === 400 ? 500 : payload['code'];
    const result = { name: current.name, code, output: readOutput(payload['output'], bug) };
    const handled = new Set(state.handled).add(id);
    return [addResult({ ...state, current: undefined, handled }, result, bug), []];
  }
  if (name !== 'tool_call' || 'code' in payload || isOver || state.isStopped) return [state, []];
  const mark = bug === 'equal-calls-are-one' ? JSON.stringify(payload) : id;
  if (state.handled.has(mark)) return [state, []];
  const handled = bug === 'known-when-answered' ? state.handled : new Set(state.handled).add(mark);
  return [{ ...state, handled }, [{ type: 'run', id, name: payload['name'], input: payload['input'] }]];
}
