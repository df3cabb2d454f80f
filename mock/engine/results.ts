import type { Action } from './task.js';
import type { World } from './world.js';

/**
 * The `output` of an action's result with code 200. Clients in the field expect
 * `{output?, credits_used, duration}` around the value; the dialect `event.result-shape: bare` gives the value alone.
 */
export function defaultResult(
  world: World,
  action: Action | undefined,
  scripted: unknown,
  numbers: { credits_used?: number; duration?: number },
): unknown {
  const value = scripted === undefined ? improvisedValue(world, action) : scripted;
  if (world.setup.dialect['event.result-shape'] === 'bare') return value ?? null;
  const credits_used = numbers.credits_used ?? (action?.name === 'run_task' ? 1 : 0);
  const duration = numbers.duration ?? Math.max(0, world.now - (action?.at ?? world.now)) / 1000;
  if (action?.name === 'goto') return { credits_used, duration };
  return { output: value ?? null, credits_used, duration };
}

function improvisedValue(world: World, action: Action | undefined): unknown {
  const { random } = world.setup;
  const generators = world.setup.generators();
  switch (action?.name) {
    case 'extract':
      return generators.value(action.input.schema ?? {}, random) ?? null;
    case 'run_task': {
      const model = action.input.response_model;
      if (model !== null && typeof model === 'object') return generators.value(model, random) ?? null;
      return generators.text(String(action.input.task), random);
    }
    case 'close':
      return true;
    default:
      return null;
  }
}
