import type { TerminalStatus } from '../../spec/vocabulary.js';
import { NO_LOG } from './event-log.js';
import type { Task } from './task.js';
import type { World } from './world.js';

/** A task that had ended before anybody looked. Times in ms. */
export interface PastTask extends Pick<Task, 'id' | 'request' | 'output' | 'created_at'> {
  status: TerminalStatus;
  credits_used: number;
  finished_at: number;
}

/** Adds a task of the past: nothing was spent on it here, and nothing comes of it any more. */
export function addPastTask(world: World, past: PastTask): void {
  const { request, finished_at, status } = past;
  const recorded = status === 'done' && request.enable_recording !== false;
  world.tasks.set(past.id, {
    id: past.id,
    seq: ++world.taskCount,
    status,
    request,
    session: request.task === null,
    created_at: past.created_at,
    finished_at,
    output: past.output,
    live_url: 'auto',
    recording_url: recorded ? 'auto' : '',
    downloads_url: null,
    credits_used: past.credits_used,
    visible: false,
    log: NO_LOG,
    scenario: null,
    runs: [],
    calls: null,
    actions: null,
    gates: null,
    polls: 0,
    shown: 0,
    shown_version: 0,
    touched_at: finished_at,
    closing: false,
    withheld_since: null,
    starts_at: null,
    live_at: null,
    recording_at: null,
    look_planned: null,
    version: 1,
    answer: null,
  });
  world.finished.push(past.id);
}
