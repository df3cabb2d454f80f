import type { Scenario } from '../../scenarios/format/types.js';
import { nearest } from '../../spec/nearest.js';
import type { Organisation } from '../engine/organisation.js';
import { ApiError } from '../pipeline/errors.js';
import type { Start } from './start-task.js';

/**
 * Which timeline a task follows, first hit wins: the header, a queued choice, a scenario that matches; otherwise
 * undefined, and the agent improvises.
 */
export function chooseScenario(
  start: Start,
  request: Readonly<Record<string, unknown>>,
): Scenario | undefined {
  const { organisation } = start;
  if (start.scenario !== undefined) {
    const named = byName(organisation, start.scenario);
    if (!named) {
      const meant = nearest(
        start.scenario,
        organisation.sources.flatMap((source) => source.names()),
      );
      throw new ApiError(
        400,
        `Header x-taskdouble-scenario names "${start.scenario.slice(0, 200)}", and no such scenario is loaded.${meant ? ` Did you mean ${meant}?` : ''} GET /__admin/scenarios lists them all.`,
      );
    }
    start.note(`follows scenario ${named.name} (header)`);
    return named;
  }
  const queued = organisation.queued.shift();
  if (queued !== undefined) {
    const named = byName(organisation, queued);
    if (named) {
      start.note(`follows scenario ${named.name} (queued)`);
      return named;
    }
    start.note(`the queued scenario ${queued} is not loaded any more`);
  }
  for (const source of organisation.sources) {
    const found = source.choose(request);
    if (found) {
      start.note(`follows scenario ${found.name} (match)`);
      return found;
    }
  }
  start.noteLater?.(organisation.explainMiss, request);
  return undefined;
}

function byName(organisation: Organisation, name: string): Scenario | undefined {
  for (const source of organisation.sources) {
    const found = source.byName(name);
    if (found) return found;
  }
  return undefined;
}
