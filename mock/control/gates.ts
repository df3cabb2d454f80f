import type { Organisation } from '../engine/organisation.js';
import type { Run } from '../engine/task.js';

/** The gates of one organisation. */
export interface GateView {
  organisation: string;
  /** Open for all its tasks. */
  open: string[];
  /** Open for one task only. */
  open_for_tasks: { task: string; gate: string }[];
  /** Steps of timelines that wait for a gate. */
  waiting: { task: string; gate: string; step: number }[];
}

export function viewGates({ name, world }: Organisation): GateView {
  const view: GateView = { organisation: name, open: [...world.gates], open_for_tasks: [], waiting: [] };
  for (const task of world.tasks.values()) {
    for (const gate of task.gates ?? []) view.open_for_tasks.push({ task: task.id, gate });
    for (const run of task.runs) {
      for (const step of waitingSteps(run)) {
        const gate = run.steps[step]?.after?.gate;
        if (gate !== undefined && !world.isOpen(gate, task)) view.waiting.push({ task: task.id, gate, step });
      }
    }
  }
  return view;
}

function waitingSteps(run: Run): number[] {
  return [...run.side.map((side) => side.index), run.cursor];
}
