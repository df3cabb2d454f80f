import { isObject } from '../../../spec/json-schema/schema.js';
import type { Random } from '../../generate/random.js';
import type { Generators } from '../organisation.js';
import type { Call } from './task.js';

interface OutcomeInput {
  task: string;
  model: unknown;
  calls: Iterable<Call>;
}

/** Longest quotation of one tool output, in characters. */
const LONGEST_QUOTE = 2000;
/** Limit of attempts to place tool outputs in one value: each attempt is validated against the model. */
const MOST_TRIES = 200;

/** The outcome of an improvised task: the tool outputs, in the form of the response model if possible. */
export function improviseOutcome(
  generators: Generators,
  { task, model, calls }: OutcomeInput,
  random: Random,
): unknown {
  const outputs = collectOutputs(calls);
  const text = () => describeOutputs(generators.generateText(task, random), outputs);
  if (model === null || typeof model !== 'object') return text();
  const generated = generators.generateValue(model, random) ?? null;
  if (outputs.size === 0) return generated;
  const isValid = (value: unknown) => generators.isValid(model, value);
  const all = [...outputs.values()];
  const whole = [...all].reverse().find((output) => output !== null && isValid(output));
  if (whole !== undefined) return whole;
  if (Array.isArray(generated) && isValid(all)) return all;
  if (typeof generated === 'string' && isValid(text())) return text();
  return isObject(generated) ? fillIn(generated, outputs, isValid) : generated;
}

function collectOutputs(calls: Iterable<Call>): Map<string, unknown> {
  const outputs = new Map<string, unknown>();
  for (const { tool, reply } of calls) if (reply?.code === 200) outputs.set(tool, reply.output ?? null);
  return outputs;
}

function describeOutputs(text: string, outputs: ReadonlyMap<string, unknown>): string {
  const parts = [...outputs].map(([tool, output]) => `The tool ${tool} returned ${quote(output)}.`);
  return [text, ...parts].join(' ');
}

function quote(output: unknown): string {
  const text = JSON.stringify(output);
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text;
}

/**
 * Copies outputs into a generated object wherever the result is still valid: fields by name, an output under
 * the name of its tool, and any other output into the first free property that accepts it.
 */
function fillIn(
  generated: Record<string, unknown>,
  outputs: ReadonlyMap<string, unknown>,
  isValid: (value: unknown) => boolean,
): Record<string, unknown> {
  let filled = generated;
  let tries = 0;
  const used = new Set<string>();
  const put = (key: string, value: unknown): boolean => {
    if (used.has(key) || ++tries > MOST_TRIES) return false;
    const candidate = { ...filled, [key]: value };
    if (!isValid(candidate)) return false;
    filled = candidate;
    used.add(key);
    return true;
  };
  const unplaced: unknown[] = [];
  for (const [tool, output] of outputs) {
    const named = isObject(output) ? Object.keys(output).filter((key) => Object.hasOwn(generated, key)) : [];
    const placed = named.filter((key) => put(key, (output as Record<string, unknown>)[key]));
    if (placed.length === 0 && !(Object.hasOwn(generated, tool) && put(tool, output))) unplaced.push(output);
  }
  for (const output of unplaced) Object.keys(generated).find((key) => put(key, output));
  return filled;
}
