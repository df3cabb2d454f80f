import type { Finding, TaskEvent, TaskStatus } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import { listPendingWork } from '../engine/snapshot/snapshot.js';
import { settle } from '../engine/tasks/lifecycle.js';
import type { Action, Call, Run, SideStep, Task } from '../engine/tasks/task.js';
import { describeMisfits, readAddress } from '../engine/tasks/view.js';
import type { NetworkedOrganisation } from '../network/network.js';
import type { HeldExchange } from '../network/pending-requests.js';
import type { MockService } from '../service.js';
import { describeStep } from './gates.js';
import {
  findDueTime,
  formatMissingCondition,
  listMissingConditions,
  type MissingCondition,
} from './missing-conditions.js';

/** A waiting step. */
export interface WaitingStep {
  /** Index in the timeline, from 0. */
  index: number;
  /** `service tool_call get_weather (first)`. */
  step: string;
  /** Conditions that are not met; empty if another timeline of the task has to finish first. */
  waitsFor: string[];
  /** The same as facts. */
  missing: MissingCondition[];
  /** When it was reached, ms. */
  since: number;
  /** Polls that got a response since then. */
  polls: number;
  /** When the waiting time ends, ms; absent for a step without one. */
  due?: number;
}

export interface RunView {
  /** `the task`, or the action that it performs. */
  performs: string;
  /** Number of steps that are done or skipped. */
  done: number;
  steps: number;
  /** Null at the end of the timeline. */
  next: WaitingStep | null;
  /** Steps that wait parallel to it. */
  meanwhile: WaitingStep[];
  happened: string[];
}

/** Internal state of a task. Times are ms. */
export interface TaskView {
  id: string;
  organisation: string;
  now: number;
  status: TaskStatus;
  kind: 'task' | 'session';
  /** Null if the agent improvises. */
  scenario: string | null;
  request: Readonly<Record<string, unknown>>;
  output: unknown;
  creditsUsed: number | null;
  createdAt: number;
  finishedAt: number | null;
  polls: number;
  /** Timestamp up to which the client has received the events. */
  shown: number;
  runs: RunView[];
  /** Requests and responses that network rules hold. */
  held: HeldExchange[];
  calls: ({ id: string } & Call)[];
  actions: ({ id: string; creditsUsed?: number } & Omit<Action, 'credits_used'>)[];
  /** Open gates. */
  gates: string[];
  events: readonly TaskEvent[];
  /** Number of oldest events dropped by the limit. */
  eventsDropped: number;
  /** Times of planned events. */
  pending: number[];
  liveUrl: string | null;
  recordingUrl: string | null;
}

export function viewTask(task: Task): TaskView {
  settle(task);
  const { organisation, id, status, scenario, request, output, polls, shown, log } = task;
  const actions = [...(task.actions ?? [])].map(([event, { credits_used: creditsUsed, ...action }]) => {
    return { id: event, ...action, ...(creditsUsed !== undefined && { creditsUsed }) };
  });
  return {
    id,
    organisation: organisation.name,
    now: organisation.now,
    status,
    kind: task.session ? 'session' : 'task',
    scenario,
    request,
    output,
    creditsUsed: task.credits_used,
    createdAt: task.created_at,
    finishedAt: task.finished_at,
    polls,
    shown,
    runs: viewRuns(task),
    held: viewHeldExchanges(task),
    calls: [...(task.calls ?? [])].map(([event, call]) => ({ id: event, ...call })),
    actions,
    gates: [...new Set([...organisation.gates, ...(task.gates ?? [])])],
    events: log.list(),
    eventsDropped: log.dropped,
    pending: listPendingWork(organisation).flatMap((work) => (work.task === id ? [work.at] : [])),
    liveUrl: readAddress(task, 'live_url'),
    recordingUrl: readAddress(task, 'recording_url'),
  };
}

export function viewHeldExchanges(task: Task): HeldExchange[] {
  return (task.organisation as NetworkedOrganisation).network.pending.list(task);
}

export function viewRuns(task: Task): RunView[] {
  settle(task);
  return task.runs.map((run, index) => viewRun(task, run, index > 1));
}

/** A task in a list, in the form of the admin API. Times are ms. */
export interface TaskSummary {
  id: string;
  organisation: string;
  /** The beginning of its text. */
  title: string;
  /** A `TaskStatus`; behind a proxy any status that the service reports. */
  status: string;
  kind: 'task' | 'session';
  scenario: string | null;
  /** How the scenario does not fit the request; absent if it fits. */
  misfit?: string;
  created_at: number;
  finished_at: number | null;
  polls: number;
}

/** Longest title, in characters. */
const LONGEST_TITLE = 200;

/** Returns `before`, an earlier summary of the task, if it is still valid. */
export function summarizeTask(task: Task, before?: TaskSummary): TaskSummary {
  const { organisation, id, status, scenario, request, polls, session } = task;
  if (before?.polls === polls && before.status === status && before.scenario === scenario) return before;
  const misfit = describeMisfits(task);
  const title = session ? 'Session' : String(request.task ?? '').slice(0, LONGEST_TITLE);
  return {
    id,
    organisation: organisation.name,
    title,
    status,
    kind: session ? 'session' : 'task',
    scenario,
    polls,
    ...(misfit !== undefined && { misfit }),
    created_at: task.created_at,
    finished_at: task.finished_at,
  };
}

/** Tasks whose scenario does not fit their request, as advice. */
export function collectMisfitFindings({ tasks, journal }: Organisation): Finding[] {
  const unfit = [...tasks.values()].filter(({ misfits }) => misfits !== undefined);
  return unfit.flatMap((task) => {
    const evidence = journal
      .read({ task: task.id })
      .slice(0, 1)
      .map(({ seq }) => seq);
    return task.misfits!.map((misfit): Finding => {
      const { requirement } = misfit;
      const message = `The scenario ${task.scenario} ${describeMisfits({ misfits: [misfit] })}`;
      const about = { rule: 'scenario/fits', requirement, side: 'client', level: 'advice' } as const;
      return { ...about, message, evidence, task: task.id };
    });
  });
}

function viewRun(task: Task, run: Run, isQueued: boolean): RunView {
  const viewWaitingStep = (index: number, place: Run | SideStep): WaitingStep => {
    const step = run.steps[index]!;
    const missing = isQueued ? [] : listMissingConditions(task, run, step, place);
    const { now } = task.organisation;
    const due = isQueued ? undefined : findDueTime(task, step, place);
    return {
      index,
      step: describeStep(step),
      waitsFor: missing.map((each) => formatMissingCondition(each, now)),
      missing,
      since: place.since,
      polls: task.polls - place.polls,
      ...(due !== undefined && { due }),
    };
  };
  const action = run.action === undefined ? undefined : task.actions?.get(run.action)?.name;
  return {
    performs:
      run.action === undefined ? 'the task' : ['action', action, run.action].filter(Boolean).join(' '),
    done: run.cursor,
    steps: run.steps.length,
    next: run.cursor < run.steps.length ? viewWaitingStep(run.cursor, run) : null,
    meanwhile: run.side.map((side) => viewWaitingStep(side.index, side)),
    happened: [...run.happened],
  };
}

export interface Health {
  status: 'ok';
  seed: string | number;
  origin: string;
  organisations: number;
  tasks: number;
  activeTasks: number;
  /** Number of exchanges in all journals. */
  exchanges: number;
  /** Requests under way, including pending ones. */
  inFlight: number;
}

export function viewHealth({ seed, origin, organisations }: MockService): Health {
  return { status: 'ok', seed, origin, ...countContents(organisations.values()) };
}

export function countContents(organisations: Iterable<Organisation>) {
  const all = [...organisations];
  const sum = (count: (organisation: Organisation) => number) =>
    all.reduce((total, each) => total + count(each), 0);
  return {
    organisations: all.length,
    tasks: sum(({ tasks }) => tasks.size),
    activeTasks: sum(({ activeTasks }) => activeTasks),
    exchanges: sum(({ journal }) => journal.size),
    inFlight: sum(({ inFlight }) => inFlight),
  };
}
