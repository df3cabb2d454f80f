import type { Step } from '../../scenarios/format/types.js';
import { findReply } from '../engine/tasks/agent.js';
import type { Run, SideStep, Task } from '../engine/tasks/task.js';
import type { NetworkedOrganisation } from '../network/network.js';
import { checkGate } from '../options/check-options.js';
import type { GateTarget } from '../options/mock-options.js';
import type { MockService } from '../service.js';

/** Opens a gate for one task, for one organisation, or for all existing ones. */
export function openGate(
  organisations: MockService['organisations'],
  name: string,
  target: GateTarget = {},
): GateView[] {
  checkGate(target);
  const task = target.task === undefined ? undefined : organisations.requireTask(target.task, target.key);
  const selected = task ? organisations.selectOpen(task.organisation.key) : organisations.select(target.key);
  for (const organisation of selected) organisation.openGate(name, task);
  return selected.map(viewGates);
}

export interface GateView {
  organisation: string;
  /** Open for all its tasks. */
  open: string[];
  /** Open for one task only. */
  openForTasks: { task: string; gate: string }[];
  /** Timeline steps that wait for a gate. */
  waiting: { task: string; gate: string; step: number }[];
  /** Requests that network rules hold until a gate opens. */
  held: { gate: string; rule: string; requests: number }[];
}

export function viewGates(organisation: NetworkedOrganisation): GateView {
  const { name, network } = organisation;
  const view: GateView = {
    organisation: name,
    open: [...organisation.gates],
    openForTasks: [],
    waiting: [],
    held: [],
  };
  for (const task of organisation.tasks.values()) {
    for (const gate of task.gates ?? []) view.openForTasks.push({ task: task.id, gate });
    for (const run of task.runs) {
      for (const { index } of run.side) addWaiting(view.waiting, task, run, index);
      addWaiting(view.waiting, task, run, run.cursor);
    }
  }
  for (const { id, rule, waiting } of network.list()) {
    if (rule.network !== 'hold' || waiting === 0 || !('gate' in rule.until)) continue;
    view.held.push({ gate: rule.until.gate, rule: id, requests: waiting });
  }
  return view;
}

function addWaiting(waiting: GateView['waiting'], task: Task, { steps }: Run, step: number): void {
  const gate = steps[step]?.after?.gate;
  if (gate !== undefined && !task.organisation.isGateOpen(gate, task))
    waiting.push({ task: task.id, gate, step });
}

const SUBJECTS = ['to', 'tool', 'name', 'gate', 'status', 'times', 'value'];

export function describeStep(step: Step): string {
  if ('network' in step) return `network ${step.network}`;
  const verb = 'client' in step ? `client ${step.client}` : `service ${step.service}`;
  const subject = Object.entries(step).find(([name]) => SUBJECTS.includes(name))?.[1];
  const words = typeof subject === 'string' ? subject : JSON.stringify(subject);
  return [verb, words, step.id && `(${step.id})`].filter(Boolean).join(' ');
}

/** Conditions of a step that are not met, as texts; empty if nothing blocks it. `place`: holds the time since which it waits. */
export function listMissingConditions(task: Task, run: Run, step: Step, place: Run | SideStep): string[] {
  const { organisation, starts_at } = task;
  const { now, network } = organisation;
  const due = findDueTime(task, step, place);
  if (starts_at !== null) return [`${formatMs(starts_at - now)} more in the queue`];
  const { polls = 0, gate, reply, step: earlier } = step.after ?? {};
  const isWithheld = 'service' in step && step.service === 'finish' && task.withheld_since !== null;
  const held = 'service' in step && step.id !== undefined ? network.steps.listHolds(task, step.id) : [];
  const missing = [
    'client' in step && describeMissingRequest(task, run, step, place.polls),
    due !== undefined && `${formatMs(due - now)} more`,
    describeMissingPolls(place.polls + polls - task.polls),
    gate !== undefined && !organisation.isGateOpen(gate, task) && `gate ${gate} to be opened`,
    reply !== undefined && !findReply(task, run, reply) && `the reply to ${reply}`,
    earlier !== undefined && !run.happened.has(earlier) && `step ${earlier} to happen`,
    isWithheld && 'the time in which clients can read the last event on a 202',
    ...held.map((what) => `${what} (held by a network rule)`),
  ];
  return missing.filter((each) => typeof each === 'string');
}

/** When the waiting time of a step ends, ms; undefined if it is over or the step has none. */
export function findDueTime({ organisation, starts_at }: Task, { after }: Step, { since }: Run | SideStep) {
  const due = starts_at ?? since + (after?.time_ms ?? 0);
  return due > organisation.now ? due : undefined;
}

function formatMs(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

function describeMissingPolls(left: number): string | undefined {
  return left > 0 ? `${left} more ${left === 1 ? 'poll' : 'polls'}` : undefined;
}

function describeMissingRequest(
  task: Task,
  run: Run,
  step: Extract<Step, { client: unknown }>,
  polls: number,
): string | false | undefined {
  switch (step.client) {
    case 'reply':
      return !findReply(task, run, step.to) && `the client to reply to ${run.ids[step.to] ?? step.to}`;
    case 'action':
      return (step.id === undefined || run.ids[step.id] === undefined) && `the client to send ${step.name}`;
    case 'close':
      return !task.closing && 'the client to close the session';
    case 'poll':
      return describeMissingPolls(polls + (step.times ?? 1) - task.polls);
    case 'cancel':
      return 'the client to stop the task';
  }
}
