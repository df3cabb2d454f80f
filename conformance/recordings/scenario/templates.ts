import type { Scenario, Step } from '../../../scenarios/format/types.js';
import { toFields } from '../../conversation/json.js';

/** Shorter values occur in texts by chance. */
const LEAST_CHARACTERS = 2;
/** Most values collected from one output. */
const MOST_PLACES = 50;

/** A value that the client sent, and the template that refers to it. */
interface KnownValue {
  template: string;
  text: string;
}

/**
 * Replaces values that the client sent in replies by templates in later texts of the service, so that the texts follow the
 * client.
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

/** Replaces values only within longer text: a value alone may be equal by chance. */
function replaceValues(value: unknown, known: readonly KnownValue[]): unknown {
  if (typeof value !== 'string' || value.includes('{{')) return value;
  // The longest first: it may contain a shorter one.
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
