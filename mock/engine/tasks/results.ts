import type { World } from '../world.js';
import { extractFrom, pageOf } from './page.js';
import type { Action, Run, Task } from './task.js';
import { improviseOutcome } from './tool-outputs.js';

/** Numbers that a scripted result may say itself. */
interface Numbers {
  credits_used?: number;
  duration?: number;
}

/**
 * The `output` of an action's result with code 200. Clients in the field expect
 * `{output?, credits_used, duration}` around the value; the dialect `event.result-shape: bare` gives the value alone.
 */
export function wrapResult(
  world: World,
  action: Action | undefined,
  value: unknown,
  numbers: Numbers,
): unknown {
  const credits_used = numbers.credits_used ?? (action?.name === 'run_task' ? 1 : 0);
  if (action) action.credits_used = credits_used;
  if (world.setup.dialect['event.result-shape'] === 'bare') return value ?? null;
  const duration = numbers.duration ?? Math.max(0, world.now - (action?.at ?? world.now)) / 1000;
  if (action?.name === 'goto') return { credits_used, duration };
  return { output: value ?? null, credits_used, duration };
}

/** What an action brings when no scenario says so. `run` is the timeline that performs it. */
export function improviseResult(world: World, task: Task, run: Run, action: Action | undefined): unknown {
  const { random } = world.setup;
  switch (action?.name) {
    case 'extract':
      return extractFrom(world, pageOf(world, task, action), action.input.schema ?? {});
    case 'run_task': {
      const { task: text, response_model: model } = action.input;
      const findings = { task: String(text), model, calls: callsOf(task, run) };
      return improviseOutcome(world.setup.generators(), findings, random);
    }
    case 'close':
      return true;
    default:
      return null;
  }
}

/** The tool calls that a timeline made. */
function callsOf(task: Task, run: Run) {
  return Object.values(run.ids).flatMap((id) => task.calls?.get(id) ?? []);
}
