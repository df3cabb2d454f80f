import { invalidValue } from '../../../spec/json-schema/violations.js';
import type { OrganisationSnapshot } from './snapshot.js';
import type { RunSnapshot } from './timelines.js';

/**
 * Checks that names refer to something within the snapshot. `at`: the path of the snapshot, followed by a dot. Throws
 * InvalidValue.
 */
export function checkReferences(state: OrganisationSnapshot, at: string): void {
  const { timelines, tasks, network, finished, pending } = state;
  const ids = new Set<string>();
  for (const [index, task] of tasks.entries()) {
    const place = `${at}tasks[${index}]`;
    if (ids.has(task.id)) throw invalidValue(`${place}.id`, 'an id of its own', task.id);
    ids.add(task.id);
    for (const [position, run] of task.runs.entries()) checkRun(run, `${place}.runs[${position}]`);
  }
  for (const list of ['rules', 'tally'] as const)
    for (const [index, { run }] of network[list].entries())
      if (run) checkRun(run, `${at}network.${list}[${index}].run`);
  for (const [index, id] of finished.entries()) checkTask(id, `finished[${index}]`);
  for (const [index, { task }] of pending.entries()) checkTask(task, `pending[${index}].task`);

  function checkTask(id: string, place: string): void {
    if (!ids.has(id)) throw invalidValue(at + place, 'the id of a task in here', id);
  }

  function checkRun({ timeline, steps: own, cursor, side }: RunSnapshot, place: string): void {
    const steps = timeline === undefined ? own : timelines[timeline];
    if (!steps) throw invalidValue(place, 'steps, or the index of a timeline', timeline);
    if (cursor > steps.length) throw invalidValue(`${place}.cursor`, `at most ${steps.length}`, cursor);
    for (const { index } of side)
      if (index >= steps.length) throw invalidValue(`${place}.side`, `steps below ${steps.length}`, index);
  }
}
