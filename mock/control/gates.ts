import type { Organisation } from '../engine/organisation.js';
import type { Run } from '../engine/tasks/task.js';

/** The gates of one organisation. */
export interface GateView {
  organisation: string;
  /** Open for all its tasks. */
  open: string[];
  /** Open for one task only. */
  openForTasks: { task: string; gate: string }[];
  /** Steps of timelines that wait for a gate. */
  waiting: { task: string; gate: string; step: number }[];
  /** Requests that network rules hold until a gate is opened. */
  held: { gate: string; rule: string; requests: number }[];
}

export function viewGates({ name, world, network }: Organisation): GateView {
  const view: GateView = {
    organisation: name,
    open: [...world.gates],
    openForTasks: [],
    waiting: [],
    held: [],
  };
  for (const task of world.tasks.values()) {
    for (const gate of task.gates ?? []) view.openForTasks.push({ task: task.id, gate });
    for (const run of task.runs) {
      for (const step of waitingSteps(run)) {
        const gate = run.steps[step]?.after?.gate;
        if (gate !== undefined && !world.isOpen(gate, task)) view.waiting.push({ task: task.id, gate, step });
      }
    }
  }
  for (const { id, rule, waiting } of network.list()) {
    if (rule.network !== 'hold' || waiting === 0 || !('gate' in rule.until)) continue;
    view.held.push({ gate: rule.until.gate, rule: id, requests: waiting });
  }
  return view;
}

function waitingSteps(run: Run): number[] {
  return [...run.side.map((side) => side.index), run.cursor];
}
