import type { ScenarioDefinition } from '../../scenarios/generated/scenario-definition.js';
import type { ScenarioObject } from '../options/mock-options.js';

/**
 * Returns the scenario unchanged. A step, field or network fault that the scenario format does not have is a compile error, and
 * editors complete the names. What types cannot say, such as the id of a step that does not exist, `createMock` and
 * `mock.scenario` report.
 */
export function defineScenario(scenario: ScenarioDefinition & { name?: string }): ScenarioObject {
  return scenario as ScenarioObject & ScenarioDefinition;
}
