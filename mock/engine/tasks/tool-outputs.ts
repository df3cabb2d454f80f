import { isObject } from '../../../spec/json-schema/schema.js';
import type { Random } from '../../generate/random.js';
import type { Generators } from '../organisation.js';
import type { Call } from './task.js';

/** What the agent uses to improvise the outcome of a task. */
export interface Findings {
  task: string;
  model: unknown;
  calls: Iterable<Call>;
}

/** Longest quotation of one tool output, in characters. */
const LONGEST_QUOTE = 2000;
/** Places tried for tool outputs in one value: each is validated against the model. */
const MOST_TRIES = 200;

/** The outcome of an improvised task: the tool outputs, in the form of the response model if possible. */
export function improviseOutcome(
  generators: Generators,
  { task, model, calls }: Findings,
  random: Random,
): unknown {
  const outputs = successfulOutputs(calls);
  const text = () => describe(generators.text(task, random), outputs);
  if (model === null || typeof model !== 'object') return text();
  const made = generators.value(model, random) ?? null;
  if (outputs.size === 0) return made;
  const fits = (value: unknown) => generators.fits(model, value);
  const all = [...outputs.values()];
  const whole = [...all].reverse().find((output) => output !== null && fits(output));
  if (whole !== undefined) return whole;
  if (Array.isArray(made) && fits(all)) return all;
  if (typeof made === 'string' && fits(text())) return text();
  return isObject(made) ? fillIn(made, outputs, fits) : made;
}

/** The last output of each tool that succeeded. */
function successfulOutputs(calls: Iterable<Call>): Map<string, unknown> {
  const outputs = new Map<string, unknown>();
  for (const { tool, reply } of calls) if (reply?.code === 200) outputs.set(tool, reply.output ?? null);
  return outputs;
}

function describe(text: string, outputs: ReadonlyMap<string, unknown>): string {
  const parts = [...outputs].map(([tool, output]) => `The tool ${tool} returned ${quote(output)}.`);
  return [text, ...parts].join(' ');
}

function quote(output: unknown): string {
  const text = JSON.stringify(output);
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text;
}

/**
 * Puts outputs into a generated object wherever it still fits afterwards: fields by their name, an output under the name
 * of its tool, and an output with no such place into the first free property that takes it.
 */
function fillIn(
  made: Record<string, unknown>,
  outputs: ReadonlyMap<string, unknown>,
  fits: (value: unknown) => boolean,
): Record<string, unknown> {
  let filled = made;
  let tries = 0;
  const used = new Set<string>();
  const put = (key: string, value: unknown): boolean => {
    if (used.has(key) || ++tries > MOST_TRIES) return false;
    const candidate = { ...filled, [key]: value };
    if (!fits(candidate)) return false;
    filled = candidate;
    used.add(key);
    return true;
  };
  const homeless: unknown[] = [];
  for (const [tool, output] of outputs) {
    const named = isObject(output) ? Object.keys(output).filter((key) => Object.hasOwn(made, key)) : [];
    const placed = named.filter((key) => put(key, (output as Record<string, unknown>)[key]));
    if (placed.length === 0 && !(Object.hasOwn(made, tool) && put(tool, output))) homeless.push(output);
  }
  for (const output of homeless) Object.keys(made).find((key) => put(key, output));
  return filled;
}
