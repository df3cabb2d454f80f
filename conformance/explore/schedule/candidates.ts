import type { TraceEntry } from '../../../mock/network/trace.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { Deviation, DeviationKind } from '../types.js';
import {
  type Bounds,
  type Ground,
  type Offer,
  offerFaults,
  offerHolds,
  offerOtherSteps,
  offerReadings,
} from './candidate-deviations.js';
import { Causality } from './causality.js';
import { deviationText, writeDeviation } from './schedule.js';
import { readTrace, stepName, type TracedRun } from './traced-run.js';

/** A deviation that a run gives the occasion for. */
export interface Candidate {
  deviation: Deviation;
  /** What it says. */
  text: string;
  /** Place in the run of what it is about. */
  place: number;
  /** Name of its sort for turns: kind of deviation and of request. */
  sort: string;
}

/** Everything that could go otherwise in a run, once each. `taken`: the deviations that it has already. */
export function candidatesOf(
  scenario: Scenario,
  trace: readonly TraceEntry[],
  taken: readonly Deviation[],
  bounds: Bounds,
  story: TracedRun = readTrace(trace),
): Candidate[] {
  const ground: Ground = {
    scenario,
    story,
    causality: new Causality(scenario),
    bounds,
    isDefault: taken.length === 0,
  };
  const used = new Set(taken.map(deviationText));
  const found: Candidate[] = [];
  const add = (place: number, sort: string, deviation: Deviation) => {
    const text = writeDeviation(deviation);
    if (used.has(text)) return;
    used.add(text);
    found.push({ deviation, text, place, sort });
  };
  for (const request of story.requests) {
    // What befell a request already leaves nothing for a second fault to do, or hides it.
    const isSpoilt = request.status === 0 || request.status >= 400 || taken.some(isFaultOf(request.name));
    const offer: Offer = (kind, rule) =>
      add(request.arrived, `${kind} ${request.kind}`, { kind, rule, at: request.name });
    if (!isSpoilt) {
      offerFaults(request, ground, offer);
      offerReadings(request, ground, offer);
    }
    offerHolds(request, ground, offer);
  }
  for (const step of story.steps) {
    const offer: Offer = (kind, rule) => add(step.place, kind, { kind, rule, at: stepName(step.id) });
    offerOtherSteps(step, ground, offer);
  }
  return found;
}

const FAULTS: ReadonlySet<DeviationKind> = new Set([
  'limited',
  'unavailable',
  'response-lost',
  'request-lost',
  'garble',
  'truncate',
]);

/** Tells faults of this request: one is enough for each, a second would hide it or be hidden. */
export function isFaultOf(name: string): (deviation: Deviation) => boolean {
  return ({ kind, at }) => at === name && FAULTS.has(kind);
}
