import type { Settings } from './test-case.js';

/**
 * What tasks are told to do, by what they have to bring about: written so that an agent that means it gives the
 * occasion, short and cheap where it does. A configuration may put others in their place (`texts`).
 */
export const TEXTS = {
  /** Comes to an end without anything from the client. */
  'one-shot': 'Open https://example.com and tell me the title of the page.',
  /** Is at work long enough to be stopped. */
  long: 'Open https://example.com, follow every link on it and on the pages you reach, and describe each of them in detail.',
  /** Cannot be done. */
  failing:
    'Open https://taskdouble.invalid and read the text of the page to me. If that is not possible, give up.',
  /** Calls get_weather at least once. */
  'tool-call': 'Look up the weather in New York with the tool get_weather and tell me the temperature.',
  /** The same, and does not give up when the tool reports an error. */
  'tool-error':
    'Look up the weather in New York with the tool get_weather and tell me the temperature. If the tool reports an error, call it once more.',
  /** Calls get_weather several times. */
  'tool-calls':
    'Look up the weather in Oslo, in Rome and in Cairo with the tool get_weather, one city after the other, and tell me where it is warmest.',
  /** Calls lookup_order and ask_person. */
  'two-tools':
    'Look up order AB-1234 with the tool lookup_order, then ask with the tool ask_person whether it has arrived, and tell me both responses.',
  /** Calls plan_trip, whose input is nested. */
  'tool-input':
    'Plan a trip of two people from Oslo to Rome and Cairo with the tool plan_trip and tell me what it says.',
  /** Calls every tool it has, which are notes to read. */
  'tool-each': 'Call each of your tools exactly once, one after the other, then tell me that you are done.',
  /** Output in a form that is given. */
  structured: 'Open https://example.com and give me what you find there in the form that is asked for.',
  /** A run_task in a session at https://example.com. */
  'session-task': 'Tell me the title of the page.',
  /** A run_task that calls get_weather. */
  'session-tool-call':
    'Look up the weather in Bergen with the tool get_weather and tell me what the temperature is.',
  /** The page that sessions open and go to. Taken as it stands for an address. */
  page: 'https://example.com/',
} as const satisfies Record<string, string>;
export type Purpose = keyof typeof TEXTS;

/** The text of the configuration, or else ours. */
export function textFor({ texts }: Pick<Settings, 'texts'>, purpose: Purpose): string {
  return texts[purpose] ?? TEXTS[purpose];
}

/** A tool as a task registers it. Section "Custom tool definition". */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly output: string;
}

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
  lookup_order: {
    name: 'lookup_order',
    description: 'Finds an order in the records of the shop by its number.',
    inputs: {
      type: 'object',
      properties: { order_id: { type: 'string', description: 'Number of the order, such as AB-1234.' } },
      required: ['order_id'],
    },
    output: 'A JSON object with status and total of the order.',
  },
  ask_person: {
    name: 'ask_person',
    description: 'Asks a person a question and waits for the response.',
    inputs: {
      type: 'object',
      properties: { question: { type: 'string', minLength: 1 } },
      required: ['question'],
    },
    output: 'The response of the person as text.',
  },
  plan_trip: {
    name: 'plan_trip',
    description: 'Plans a trip through several cities.',
    inputs: {
      type: 'object',
      properties: {
        from: { type: 'string', minLength: 1, description: 'City where the trip begins.' },
        stops: {
          type: 'array',
          minItems: 1,
          maxItems: 5,
          items: {
            type: 'object',
            properties: { city: { type: 'string', minLength: 1 }, nights: { type: 'integer', minimum: 1 } },
            required: ['city', 'nights'],
          },
        },
        people: { type: 'integer', minimum: 1, maximum: 9 },
        by: { type: 'string', enum: ['train', 'ship', 'plane'] },
      },
      required: ['from', 'stops', 'people', 'by'],
    },
    output: 'A text that describes the trip.',
  },
} as const satisfies Record<string, Tool>;
export type ToolName = keyof typeof TOOLS;

/** The tool of that name of the configuration, or else ours. */
export function toolFor(
  { tools }: Pick<Settings, 'tools'>,
  name: ToolName,
): Readonly<Record<string, unknown>> {
  return tools?.find((tool) => tool.name === name) ?? { ...TOOLS[name] };
}
