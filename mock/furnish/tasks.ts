import { parseDuration } from '../../scenarios/duration.js';
import type { TerminalStatus } from '../../spec/vocabulary.js';
import { addPastTask } from '../engine/past-task.js';
import type { Ago, Furnishing } from './furnishing.js';

/** A task of the past. */
export interface GivenTask {
  id?: string;
  /** The body it was made with. */
  request: { task: string | null; [field: string]: unknown };
  status: TerminalStatus;
  output?: unknown;
  credits_used?: number;
  /** How long ago it was made. */
  ago?: Ago;
  /** How long it took: 1s unless given. */
  took?: Ago;
}

export function furnishTasks(furnishing: Furnishing, given: readonly GivenTask[]): void {
  const { world } = furnishing.organisation;
  const tasks = given.map((task) => ({
    ...task,
    id: furnishing.id(task.id),
    created_at: furnishing.at(task.ago),
  }));
  // Tasks are listed in the order in which they are added.
  tasks.sort((a, b) => a.created_at - b.created_at);
  for (const { id, request, status, output = null, credits_used, created_at, took = '1s' } of tasks) {
    const finished_at = Math.min(world.now, created_at + (parseDuration(took) ?? 0));
    addPastTask(world, {
      id,
      request,
      status,
      output,
      credits_used: credits_used ?? (status === 'done' ? 1 : 0),
      created_at,
      finished_at,
    });
  }
}
