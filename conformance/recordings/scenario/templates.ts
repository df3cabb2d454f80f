import type { Scenario, Step } from '../../../scenarios/format/types.js';
import { toFields } from '../../conversation/json.js';

/** Shorter values are in too many texts by chance. */
const LEAST_CHARACTERS = 2;
/** Places looked at in one value. */
const MOST_PLACES = 50;

/** A value that the client sent, and the template that leads to it. */
interface KnownValue {
  template: string;
  text: string;
}

/**
 * What the client replied is what the agent speaks of: such values in later texts of the service become templates, so that they follow
 * the client.
 */
export function addTemplates(scenario: Scenario): Scenario {
  const known: KnownValue[] = [];
  const timeline = scenario.timeline.map((step): Step => {
    if ('service' in step && (step.service === 'finish' || step.service === 'result') && 'output' in step)
      return { ...step, output: replaceValues(step.output, known) };
    if ('client' in step && step.client === 'reply' && step.code === 200 && !step.meanwhile)
      known.push(...collectPlaces(step.output, `${step.to}.output`));
    return step;
  });
  return { ...scenario, timeline };
}

function collectPlaces(value: unknown, path: string): KnownValue[] {
  if (typeof value === 'number' || typeof value === 'string') {
    const text = String(value);
    const isFit = text.length >= LEAST_CHARACTERS && text.length <= 200;
    return isFit ? [{ template: `{{${path}}}`, text }] : [];
  }
  const fields = toFields(value);
  if (!fields) return [];
  return Object.entries(fields)
    .filter(([key]) => /^\w+$/.test(key))
    .flatMap(([key, each]) => collectPlaces(each, `${path}.${key}`))
    .slice(0, MOST_PLACES);
}

/** Only in running text: a value that stands by itself may be equal by chance. */
function replaceValues(value: unknown, known: readonly KnownValue[]): unknown {
  if (typeof value !== 'string' || value.includes('{{')) return value;
  // The longest first: it may hold a shorter one.
  const all = [...known].sort((one, other) => other.text.length - one.text.length);
  for (const { text, template } of all) {
    const at = value.indexOf(text);
    const end = at + text.length;
    const isWord = at !== -1 && !/[\w.]$/.test(value.slice(0, at)) && !/^\w|^[.,]\d/.test(value.slice(end));
    if (!isWord || value.indexOf(text, end) !== -1 || value === text) continue;
    const before = replaceValues(value.slice(0, at), known) as string;
    const after = replaceValues(value.slice(end), known) as string;
    return before + template + after;
  }
  return value;
}
