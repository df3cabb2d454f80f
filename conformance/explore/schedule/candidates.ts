import type { NetworkRule, Scenario, ServiceStep } from '../../../scenarios/format/types.js';
import type { RequestOccasion, StepOccasion } from '../../../scenarios/verbs/verb.js';
import { type DeviationKind, VERBS, verbOf } from '../../../scenarios/verbs/verbs.js';
import type { Deviation } from '../types.js';
import { Causality } from './causality.js';
import { deviationText } from './schedule.js';
import { stepName, type TracedRequest, type TracedRun, type TracedStep } from './traced-run.js';

/** A deviation that a run gives the occasion for. */
export interface Candidate {
  deviation: Deviation;
  /** What it says. */
  text: string;
  /** Place in the run of what it is about. */
  place: number;
  /** Kind of deviation and of request: of those with the same sort one comes after the other. */
  sort: string;
  /** How early its sort is tried; 0 is first. */
  rank: number;
}

/** How long a hold lasts at most and how much a response is delayed: below the time-outs that clients set themselves. */
export type Bounds = Pick<RequestOccasion, 'holdMs' | 'delayMs'>;

/** How far apart two things are at most that change places, counted in things of the other sort. */
export const REACH = 3;

export const DEVIATION_KINDS = VERBS.flatMap(
  ({ deviations }) => Object.keys(deviations?.ranks ?? {}) as DeviationKind[],
);

const OF_REQUESTS = VERBS.filter(({ deviations }) => deviations?.forRequest);
const OF_STEPS = VERBS.filter(({ deviations }) => deviations?.forStep);

/** By sort. */
const RANKS = new Map<string, number>();
for (const { deviations } of VERBS) {
  for (const [kind, rank] of Object.entries(deviations?.ranks ?? {})) {
    if (typeof rank === 'number') RANKS.set(kind, rank);
    else for (const [request, each] of Object.entries(rank)) RANKS.set(`${kind} ${request}`, each!);
  }
}
/** Of a sort without a rank. */
const LAST_RANK = 1 + Math.max(...RANKS.values());

/** Everything that can change in a run, once each. `present`: the deviations that it has already. */
export function candidatesOf(
  scenario: Scenario,
  traced: TracedRun,
  present: readonly Deviation[],
  bounds: Bounds,
): Candidate[] {
  const run: RunFacts = {
    scenario,
    traced,
    causality: new Causality(scenario),
    isDefault: present.length === 0,
  };
  const used = new Set(present.map(deviationText));
  const found: Candidate[] = [];
  const add = (place: number, sort: string, deviation: Deviation) => {
    const text = deviationText(deviation);
    if (used.has(text)) return;
    used.add(text);
    found.push({ deviation, text, place, sort, rank: RANKS.get(sort) ?? LAST_RANK });
  };
  for (const request of traced.requests) {
    const { name, kind: requestKind, arrived, status, of, skip } = request;
    // A scenario can name no action but those of its steps.
    if (typeof of.action === 'string' && !scenario.timeline.some(({ id }) => id === of.action)) continue;
    // A request that failed leaves nothing for a second fault to do, or hides it.
    const isFailed = status === 0 || status >= 400 || present.some(isFaultOf(name));
    const target = skip > 0 ? { of, skip } : { of };
    const occasion = requestOccasion(request, run, bounds);
    for (const { name: network, deviations } of OF_REQUESTS) {
      if (isFailed && !deviations!.isOfFailed) continue;
      for (const [kind, fields] of deviations!.forRequest!(occasion)) {
        const rule = { network, ...target, ...fields } as NetworkRule;
        add(arrived, `${kind} ${requestKind}`, { kind, rule, at: name });
      }
    }
  }
  for (const step of traced.steps) {
    const occasion = stepOccasion(step, run, bounds);
    if (!occasion) continue;
    for (const { name: network, deviations } of OF_STEPS)
      for (const [kind, fields] of deviations!.forStep!(occasion)) {
        const rule = { network, of: { step: step.id }, ...fields } as NetworkRule;
        add(step.place, kind, { kind, rule, at: stepName(step.id) });
      }
  }
  return found;
}

/** Recognises faults of this request: one is enough for each, a second would hide it or be hidden. */
export function isFaultOf(name: string): (deviation: Deviation) => boolean {
  return ({ rule, at }) => at === name && verbOf(rule).deviations?.isFault === true;
}

/**
 * Priority of each candidate, in their order; low numbers come first. The first of every sort comes before the second of
 * any, so that the beginning of a search has something of everything. Of several polls the first comes second: most
 * clients take more care of it.
 */
export function prioritiesOf(candidates: readonly Candidate[]): number[] {
  const all = new Map<string, number>();
  for (const { sort } of candidates) all.set(sort, (all.get(sort) ?? 0) + 1);
  const count = new Map<string, number>();
  return candidates.map(({ sort, rank }) => {
    const nth = count.get(sort) ?? 0;
    count.set(sort, nth + 1);
    const isSwapped = sort.endsWith(' poll') && nth < 2 && all.get(sort)! > 1;
    return (isSwapped ? 1 - nth : nth) * (LAST_RANK + 1) + rank;
  });
}

interface RunFacts {
  scenario: Scenario;
  traced: TracedRun;
  causality: Causality;
  /** Without deviations. */
  isDefault: boolean;
}

function requestOccasion(request: TracedRequest, run: RunFacts, bounds: Bounds): RequestOccasion {
  const { traced, causality, isDefault } = run;
  const { kind, arrived, answered, events } = request;
  // Nothing of what later polls bring is known while one is held, to a client that polls once at a time.
  const unlearnt =
    kind === 'poll' ? traced.requests.flatMap((each) => (each.arrived > arrived ? each.events : [])) : [];
  return {
    ...bounds,
    kind,
    events: events.length,
    hasEarlierEvents: traced.requests.some((each) => each.answered < arrived && each.events.length > 0),
    pollsOverlap: kind === 'poll' && overlaps(traced, 'poll', 'poll'),
    waits(side) {
      const [until, place] =
        side === 'request' ? (['handled', arrived] as const) : (['answered', answered] as const);
      const unseen = side === 'request' ? [...events, ...unlearnt] : unlearnt;
      return traced.steps
        .filter((step) => step.place > place)
        .slice(0, REACH)
        .filter(
          ({ id }) =>
            !causality.stepNeedsRequest(id, request, until) && !causality.stepNeedsEvents(id, unseen),
        )
        .map(({ id }) => ({ step: id }));
    },
    next() {
      const next = traced.requests.find(
        (each) => each.arrived > arrived && each.skip === 0 && !isSameSort(each, request),
      );
      // Whether a client goes on meanwhile shows only once something takes long.
      const mayGoOn = isDefault && kind !== 'poll';
      return next && (mayGoOn || overlaps(traced, kind, next.kind)) ? { arrive: next.of } : undefined;
    },
  };
}

/** Undefined for what the agent improvises. */
function stepOccasion(
  { id, place }: TracedStep,
  { scenario: { timeline }, traced, causality }: RunFacts,
  bounds: Bounds,
): StepOccasion | undefined {
  const step = timeline.find((each) => each.id === id) as ServiceStep | undefined;
  if (!step) return undefined;
  const sends = (wanted: string, ...services: ServiceStep['service'][]) =>
    timeline.some((each) => each.id === wanted && 'service' in each && services.includes(each.service));
  return {
    ...bounds,
    step,
    hasEarlierEvents: traced.steps.some(
      (each) => each.place < place && sends(each.id, 'tool_call', 'result', 'event'),
    ),
    hasResults: timeline.some((each) => 'service' in each && each.service === 'result'),
    waits: () =>
      traced.requests
        .filter((each) => each.arrived > place && each.skip === 0 && !causality.requestNeedsStep(each, id))
        .slice(0, REACH)
        .map((each) => ({ arrive: each.of })),
  };
}

/** A request of the one kind was under way when one of the other came. */
function overlaps({ requests }: TracedRun, kind: string, other: string): boolean {
  return requests.some(
    (one) =>
      one.kind === kind &&
      requests.some((two) => two.kind === other && two.arrived > one.arrived && two.arrived < one.answered),
  );
}

/** Two polls, or two tries of the same request: those wait for each other anyway. */
function isSameSort(a: TracedRequest, b: TracedRequest): boolean {
  return (a.kind === 'poll' && b.kind === 'poll') || JSON.stringify(a.of) === JSON.stringify(b.of);
}
