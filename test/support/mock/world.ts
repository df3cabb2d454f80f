import { WorldClock } from '../../../mock/engine/clock.js';
import { createTask } from '../../../mock/engine/tasks/lifecycle.js';
import type { Task } from '../../../mock/engine/tasks/task.js';
import { DEFAULT_WORLD_LIMITS, World, type WorldSetup } from '../../../mock/engine/world.js';
import { createRandom } from '../../../mock/generate/random.js';
import type { Step } from '../../../scenarios/format/types.js';
import { resolveDialect } from '../../../spec/dialect.js';
import { openPoints } from '../../../spec/generated/documents.js';

/** A world on a manual clock, without network and with simple generators: what engine tests need. */
export function createWorld(
  options: { dialect?: Record<string, unknown>; setup?: Partial<WorldSetup> } = {},
): World & { spent: number; notes: string[] } {
  const notes: string[] = [];
  const setup: WorldSetup = {
    name: 'org-1',
    key: 'k',
    clock: new WorldClock(() => 0, { mode: 'manual', speed: 1 }),
    random: createRandom('test'),
    dialect: resolveDialect(options.dialect ?? {}, openPoints).dialect,
    limits: DEFAULT_WORLD_LIMITS,
    origin: () => 'http://mock.test',
    generators: () => ({
      problem: () => undefined,
      value: () => ({ made: 'up' }),
      fits: () => false,
      text: (task) => `Done: ${task}`,
    }),
    runScript: () => ({ code: 200, output: null }),
    network: {
      arm() {},
      steps: { fires: () => false, holds: () => false, reissue() {} },
      stepped() {},
      review() {},
    },
    onPlanned() {},
    onNote: (note) => notes.push(note),
    onPolledInVain() {},
    onEnded() {},
    spend: (credits) => {
      world.spent += credits;
    },
    ...options.setup,
  };
  const world = Object.assign(new World(setup), { spent: 0, notes });
  return world;
}

/** A task that follows this timeline. */
export function startTimeline(
  world: World,
  timeline: Step[],
  request: Record<string, unknown> = { task: 'Do it' },
): Task {
  return createTask(world, request, {
    name: 'test',
    title: 'Test',
    covers: [],
    match: 'never',
    request,
    timeline,
  });
}

/** Moves the world's clock on by so many ms. */
export function pass(world: World, ms: number): void {
  world.advanceTo(world.now + ms);
}
