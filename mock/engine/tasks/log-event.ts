import type { TaskEvent } from '../../../spec/vocabulary.js';
import type { World } from '../world.js';
import { EventLog, NO_LOG } from './event-log.js';
import type { Task } from './task.js';

/** Appends an event to the task's log, now or at the `timestamp` (ms) that a script forces; polls show it. */
export function logEvent(
  world: World,
  task: Task,
  event: Omit<TaskEvent, 'timestamp'>,
  timestamp?: number,
): void {
  if (task.log === NO_LOG) task.log = new EventLog(world.setup.limits.eventsPerTask);
  task.log.append(event, world.now, timestamp);
}
