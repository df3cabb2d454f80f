import type { ScenarioDefinition } from '../../scenarios/generated/scenario-definition.js';
import type { ScenarioObject } from '../options/mock-options.js';

/**
 * Returns the scenario unchanged. Steps, fields and network faults that the scenario format does not have are compile errors, and editors
 * complete the names. `createMock` and `mock.scenario` report errors that types cannot express, such as an unknown step id.
 */
export function defineScenario(scenario: ScenarioDefinition & { name?: string }): ScenarioObject {
  return scenario as ScenarioObject & ScenarioDefinition;
}
