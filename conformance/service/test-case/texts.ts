import type { Scenario } from '../../../scenarios/format/types.js';
import { readField } from '../../conversation/json.js';
import type { Settings } from './test-case.js';

/**
 * Task texts by the situation that they have to create: clear enough for a cooperative agent, short and cheap. A configuration
 * may replace them (`texts`).
 */
export const TEXTS = {
  /** Ends without client actions. */
  'one-shot': 'Open https://example.com and tell me the title of the page.',
  /** Works long enough to be cancelled. */
  long: 'Open https://example.com, follow every link on it and on the pages you reach, and describe each of them in detail.',
  /** Cannot succeed. */
  failing:
    'Open https://taskdouble.invalid and read the text of the page to me. If that is not possible, give up.',
  /** Calls get_weather at least once. */
  'tool-call': 'Look up the weather in New York with the tool get_weather and tell me the temperature.',
  /** Calls get_weather several times. */
  'tool-calls':
    'Look up the weather in Oslo, in Rome and in Cairo with the tool get_weather, one city after the other, and tell me where it is warmest.',
  /** Calls lookup_order and ask_person. */
  'two-tools':
    'Look up order AB-1234 with the tool lookup_order, then ask with the tool ask_person whether it has arrived, and tell me both responses.',
  /** Calls plan_trip, which has a nested input. */
  'tool-input':
    'Plan a trip of two people from Oslo to Rome and Cairo with the tool plan_trip and tell me what it says.',
  /** Calls each of its tools, which read notes. */
  'tool-each': 'Call each of your tools exactly once, one after the other, then tell me that you are done.',
  /** Output in a given format. */
  structured: 'Open https://example.com and give me what you find there in the form that is asked for.',
  /** A run_task in a session at https://example.com. */
  'session-task': 'Tell me the title of the page.',
  /** A run_task that calls get_weather. */
  'session-tool-call':
    'Look up the weather in Bergen with the tool get_weather and tell me what the temperature is.',
  /** The page that sessions open and go to; used as an address without changes. */
  page: 'https://example.com/',
} as const satisfies Record<string, string>;
export type Purpose = keyof typeof TEXTS;

/** Tools that a configuration may replace by name: those of the cases and scenarios. */
export const TOOL_NAMES = ['get_weather', 'lookup_order', 'ask_person', 'plan_trip'] as const;

/** Tool definitions for tasks. Section "Custom tool definition". */
export const TOOLS = {
  get_weather: {
    name: 'get_weather',
    description: 'Gives the weather in a city right now. Use it whenever somebody wants to know the weather.',
    inputs: {
      type: 'object',
      properties: { city: { type: 'string', minLength: 1, description: 'Name of the city in English.' } },
      required: ['city'],
    },
    output: 'A JSON object with temp_c, the temperature in degrees Celsius.',
  },
} as const;

/** Replaces the default texts (also as a part of a task) and tools of a scenario with the configured ones. */
export function applySettings(scenario: Scenario, settings: Pick<Settings, 'texts' | 'tools'>): Scenario {
  const { request, timeline } = scenario;
  return {
    ...scenario,
    request: {
      ...replaceTexts(request, settings),
      ...(Array.isArray(request.custom_tools)
        ? { custom_tools: request.custom_tools.map((tool) => replaceTool(tool, settings)) }
        : {}),
    },
    timeline: timeline.map((step) =>
      'client' in step && step.client === 'action' && step.input
        ? { ...step, input: replaceTexts(step.input, settings) }
        : step,
    ),
  };
}

function replaceTexts<T extends Readonly<Record<string, unknown>>>(
  fields: T,
  { texts }: Pick<Settings, 'texts'>,
): T {
  const { task } = fields;
  if (typeof task !== 'string') return fields;
  const said = Object.entries(TEXTS).reduce(
    (text, [purpose, ours]) => text.replace(ours, () => texts[purpose] ?? ours),
    task,
  );
  return { ...fields, task: said };
}

function replaceTool(tool: unknown, { tools }: Pick<Settings, 'tools'>): unknown {
  return tools?.find(({ name }) => name === readField(tool, 'name')) ?? tool;
}
