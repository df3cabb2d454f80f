import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import type { Scenario } from '../../../scenarios/format/types.js';

/** `timeline`: YAML. */
export function parseScenario(timeline: string, request = 'task: Compare two things.'): Scenario {
  const indent = (text: string) => text.trim().replace(/^/gm, '  ');
  const text = `title: A test\nrequest:\n${indent(request)}\ntimeline:\n${indent(timeline)}\n`;
  const { scenario, problems } = loadScenarioText(text, { file: 'test.yaml', name: 'tests/one' });
  if (!scenario) throw new Error(JSON.stringify(problems, undefined, 2));
  return scenario;
}
