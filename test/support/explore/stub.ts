import type { Client, ClientRun } from '../../../conformance/client/types.js';
import type { SearchTools } from '../../../conformance/explore/search-tools.js';
import type { NetworkStep, Scenario } from '../../../scenarios/format/types.js';
import type { Finding } from '../../../spec/vocabulary.js';
import { parseScenario } from './scenarios.js';
import { parseTrace } from './traces.js';

/** The result of a run without a client, as a function of its deviations. */
export interface StubBehaviour {
  /** Lines that the deviations add to the trace. */
  trace?: (deviations: NetworkStep[], nth: number) => string[];
  /** Findings of a run. */
  findings?: (deviations: NetworkStep[], scenario: Scenario) => Finding[];
  /** Whether a deviation is not triggered. */
  missed?: (step: NetworkStep) => boolean;
  end?: ClientRun['end'];
}

export const STUB_CLIENT: Client = { kind: 'function', run: async () => undefined };

/** Two concurrent tool calls, and their trace without deviations. */
export const TWO_CALLS = parseScenario(
  `
- service: tool_call
  id: c1
  tool: compare
- service: tool_call
  id: c2
  tool: compare
- client: reply
  to: c1
- client: reply
  to: c2
- service: finish
  id: finish
`,
  'task: Compare.\ncustom_tools: [{ name: compare, description: Compares., inputs: { type: object }, output: A verdict. }]',
);

export const STUB_TRACE = [
  'arrive create#1',
  'response create#1 200',
  'service tool_call c1',
  'service tool_call c2',
  'arrive poll#1',
  'response poll#1 202 [c1, c2]',
  'arrive reply c1#1',
  'response reply c1#1 200',
  'arrive reply c2#1',
  'response reply c2#1 200',
  'service finish finish',
  'arrive poll#2',
  'response poll#2 200',
];

/** Tools without a client: every run has the same trace, changed by `behaviour`. Records the judged schedules. */
export function stubTools(behaviour: StubBehaviour = {}): {
  tools: SearchTools;
  played: string[];
  judged: string[];
} {
  const played: string[] = [];
  const judged: string[] = [];
  const tools: SearchTools = {
    play: async (scenario, signal) => {
      const steps = listDeviations(scenario);
      played.push(formatScenario(scenario));
      const trace = parseTrace(...STUB_TRACE, ...(behaviour.trace?.(steps, played.length) ?? []));
      const run: Partial<ClientRun> = {
        scenario,
        end: signal?.aborted ? 'aborted' : (behaviour.end ?? 'by-itself'),
        error: behaviour.end === 'not-started' ? 'there is no such command' : undefined,
        exchanges: [],
        trace,
        rules: steps.map((rule) => ({
          id: `task-1/${rule.id}`,
          step: rule.id!,
          rule,
          state: 'spent',
          fired: behaviour.missed?.(rule) ? 0 : 1,
          passed: 0,
          waiting: 0,
          gave_up: 0,
        })),
      };
      return run as ClientRun;
    },
    judge: ({ scenario }) => {
      judged.push(formatScenario(scenario));
      return behaviour.findings?.(listDeviations(scenario), scenario) ?? [];
    },
    close: async () => {},
  };
  return { tools, played, judged };
}

export function listDeviations({ timeline }: Scenario): NetworkStep[] {
  return timeline.flatMap((step) => {
    if (!('network' in step) || !/^d\d+$/.test(step.id ?? '')) return [];
    const { line: _, ...rule } = step;
    return [rule];
  });
}

function formatScenario(scenario: Scenario): string {
  const rules = listDeviations(scenario).map(({ id: _, ...rule }) => JSON.stringify(rule));
  return `${scenario.name} ${rules.sort().join(' ')}`;
}
