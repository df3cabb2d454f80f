import type { Scenario, ServiceStep, Step } from '../types.js';

/**
 * The same scenario with an id for every step of the service, so that a network step can name it. Ids that are there
 * stay; the others say what the step does (`call-get_weather`, `result-open`, `finish`), with a number where two would
 * be the same.
 */
export function withStepIds(scenario: Scenario): Scenario {
  const taken = new Set(scenario.timeline.flatMap(namesOf));
  const timeline = scenario.timeline.map((step): Step => {
    if (!('service' in step) || step.id !== undefined) return step;
    const id = free(nameOf(step), taken);
    taken.add(id);
    return { ...step, id };
  });
  return { ...scenario, timeline };
}

function namesOf(step: Step): string[] {
  const { id, event_id } = step as { id?: string; event_id?: string };
  return [id, event_id].filter((name) => name !== undefined);
}

function nameOf(step: ServiceStep): string {
  switch (step.service) {
    case 'tool_call':
      return `call-${step.tool}`;
    case 'result':
      return `result-${step.to}`;
    case 'status':
      return step.status;
    case 'open':
      return `open-${step.gate}`;
    default:
      return step.service;
  }
}

function free(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, LONGEST);
  let id = plain;
  for (let n = 2; taken.has(id); n++) id = `${plain}-${n}`;
  return id;
}

/** Below what the format allows, with room for a number. */
const LONGEST = 90;
