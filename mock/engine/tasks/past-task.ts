import type { TerminalStatus } from '../../../spec/vocabulary.js';
import type { World } from '../world.js';
import { newTask } from './lifecycle.js';
import type { Task } from './task.js';

/** A task that had ended before anybody looked. Times in ms. */
export interface PastTask extends Pick<Task, 'id' | 'request' | 'output' | 'created_at'> {
  status: TerminalStatus;
  credits_used: number;
  finished_at: number;
}

/** Adds a task of the past: nothing was spent on it here, and nothing comes of it any more. */
export function addPastTask(world: World, past: PastTask): void {
  const { id, request, created_at, finished_at, status, output, credits_used } = past;
  const task = newTask(world, id, request, created_at);
  const recorded = status === 'done' && request.enable_recording !== false;
  Object.assign(task, {
    status,
    finished_at,
    output,
    credits_used,
    live_url: 'auto',
    recording_url: recorded ? 'auto' : '',
    touched_at: finished_at,
  } satisfies Partial<Task>);
  world.tasks.set(id, task);
  world.finished.push(id);
}
