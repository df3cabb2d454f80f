import type { Step } from '../../scenarios/format/types.js';
import type { Run, Task } from '../engine/tasks/task.js';
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
