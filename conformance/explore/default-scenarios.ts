import { loadLibrary } from '../../scenarios/library.js';
import type { Scenario } from '../../scenarios/types.js';

/** A small set in which everything occurs that a client has to do. */
export const DEFAULT_SCENARIOS = [
  'tool-calls/one-call',
  'sessions/goto-extract-evaluate-close',
  'tool-calls/parallel-calls',
  'sessions/run-task-with-tools',
  'polling/one-shot',
] as const;

/** Throws where the package lacks one of its own scenarios. */
export async function defaultScenarios(): Promise<Scenario[]> {
  const library = new Map((await loadLibrary()).map((scenario) => [scenario.name, scenario]));
  return DEFAULT_SCENARIOS.map((name) => {
    const scenario = library.get(name);
    if (!scenario) throw new Error(`The package lacks its own scenario ${name}.`);
    return scenario;
  });
}
