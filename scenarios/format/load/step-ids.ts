import type { Scenario, ServiceStep, Step } from '../types.js';

/**
 * Adds an id to every service step without one, so that a network step can name it: `call-get_weather`, `result-open`, `finish`,
 * with a number if the id is taken.
 */
export function addStepIds(scenario: Scenario): Scenario {
  const usedIds = new Set<unknown>(
    scenario.timeline.flatMap((step) => [step.id, 'event_id' in step ? step.event_id : undefined]),
  );
  const timeline = scenario.timeline.map((step): Step => {
    if (!('service' in step) || step.id !== undefined) return step;
    const name = formatStepId(step)
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .slice(0, LONGEST);
    let id = name;
    for (let n = 2; usedIds.has(id); n++) id = `${name}-${n}`;
    usedIds.add(id);
    return { ...step, id };
  });
  return { ...scenario, timeline };
}

/** Below what the format allows, with room for a number. */
const LONGEST = 90;

function formatStepId(step: ServiceStep): string {
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
