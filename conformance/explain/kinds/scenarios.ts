import { loadLibrary } from '../../../scenarios/format/library/library.js';
import type { Explanation } from '../explanation.js';
import { symptoms } from '../generated/symptoms.js';

export async function listScenarioNames(): Promise<string[]> {
  return (await loadLibrary()).map(({ name }) => name);
}

export async function explainScenario(name: string): Promise<Explanation | undefined> {
  const scenario = (await loadLibrary()).find((each) => each.name === name);
  if (!scenario) return undefined;
  const { title, exposes = [] } = scenario;
  const found = symptoms.filter((each) => each.scenario === name);
  return {
    name,
    kind: 'scenario',
    title,
    facts: [
      ...(exposes.length === 0 ? [] : ([['Exposes', exposes.join(', ')]] as const)),
      ...found.map(({ cause, rule, remedy }) => ['Finds', `${cause} (${rule}) ${remedy}`] as const),
    ],
    commands: [`client --scenario ${name} -- COMMAND`, `scenarios draw ${name}`],
    page: 'judge-a-client.md',
  };
}
