import type { Job, ToolOutcome } from '../../../../conformance/client/types.js';

export type Json = ReturnType<typeof JSON.parse>;

export interface Request {
  type: 'request';
  /** `create`, `poll`, `stop`, `reply ID` or `action ID`: one of each is open at a time. */
  key: string;
  method: string;
  path: string;
  body?: Json;
}

export type Effect =
  | Request
  | { type: 'timer'; key: string; ms: number }
  | { type: 'run'; id: string; name: string; input: Json }
  | { type: 'finish' };

export type Message =
  | { type: 'start' }
  | { type: 'resume' }
  | { type: 'timer'; key: string }
  | { type: 'ran'; id: string; outcome: ToolOutcome; at: number }
  | { type: 'received'; key: string; status: number; r: Json; waitMs: number | undefined; at: number };

export interface Open {
  request: Request;
  tries: number;
  wasLost: boolean;
}

export interface State {
  job: Job;
  phase: 'creating' | 'open' | 'over' | 'failed';
  id: string | undefined;
  status: string | null;
  output: Json;
  liveUrl: string | null;
  cursor: number;
  handled: ReadonlySet<string>;
  open: ReadonlyMap<string, Open>;
  actions: Job['actions'];
  /** The action whose result is awaited. */
  current: { id: string; name: string; kind: string } | undefined;
  sent: number;
  /** The action was refused: the next polls say whether the task is over. */
  refused: { problem: string; pollsLeft: number } | undefined;
  isStopping: boolean;
  isStopped: boolean;
  lastOutcome: ToolOutcome | undefined;
  results: readonly Json[];
  problem: string | undefined;
}

// What stays in the process from job to job: only a bug uses it.
const resultsOfProcess: Json[] = [];

export function createState(job: Job, bug: string | undefined): State {
  const close = { name: 'session_action' as const, payload: { name: 'close' } };
  return {
    job,
    phase: 'creating',
    id: undefined,
    status: null,
    output: null,
    liveUrl: null,
    cursor: 0,
    handled: new Set(),
    open: new Map(),
    actions: job.close === 'event' ? [...job.actions, close] : job.actions,
    current: undefined,
    sent: 0,
    refused: undefined,
    isStopping: false,
    isStopped: false,
    lastOutcome: undefined,
    results: bug === 'initial-state-is-shared' ? resultsOfProcess : [],
    problem: undefined,
  };
}

export function addResult(state: State, result: Json, bug: string | undefined): State {
  if (bug !== 'initial-state-is-shared') return { ...state, results: [...state.results, result] };
  resultsOfProcess.push(result);
  return state;
}

export function isRunning(status: Json): boolean {
  return status === 'running' || status === 'waiting';
}
