import type { NetworkRule, Scenario, ServiceStep } from '../../../scenarios/format/types.js';
import type { DeviationRequest, DeviationStep } from '../../../scenarios/verbs/verb.js';
import { type DeviationKind, readVerb, VERBS } from '../../../scenarios/verbs/verbs.js';
import type { Deviation } from '../types.js';
import { Causality } from './causality.js';
import { formatDeviationKey } from './schedule.js';
import { formatStepName, type TracedRequest, type TracedRun, type TracedStep } from './traced-run.js';

/** A deviation that is possible in a run. */
export interface DeviationCandidate {
  deviation: Deviation;
  /** The key of the deviation. */
  text: string;
  /** Position of its subject in the run. */
  place: number;
  /** Kind of deviation and of request. Candidates of the same sort alternate with those of other sorts. */
  sort: string;
  /** Priority of its sort; 0 is first. */
  rank: number;
}

/** Longest hold and response delay: below usual client time-outs. */
export type Bounds = Pick<DeviationRequest, 'holdMs' | 'delayMs' | 'longDelayMs'>;

/** Largest distance between two reordered events, counted in events of the other side. */
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

/** All possible deviations of a run, each once. `present`: the deviations that it already has. */
export function listCandidates(
  scenario: Scenario,
  traced: TracedRun,
  present: readonly Deviation[],
  bounds: Bounds,
): DeviationCandidate[] {
  const run: RunFacts = {
    scenario,
    traced,
    causality: new Causality(scenario),
    isDefault: present.length === 0,
    pollsOverlap: hasOverlap(traced, 'poll', 'poll'),
  };
  const used = new Set(present.map(formatDeviationKey));
  const found: DeviationCandidate[] = [];
  const add = (place: number, sort: string, deviation: Deviation) => {
    const text = formatDeviationKey(deviation);
    if (used.has(text)) return;
    used.add(text);
    found.push({ deviation, text, place, sort, rank: RANKS.get(sort) ?? LAST_RANK });
  };
  for (const request of traced.requests) {
    const { name, kind: requestKind, arrived, status, of, skip } = request;
    // A scenario can reference only actions of its own steps.
    if (typeof of.action === 'string' && !scenario.timeline.some(({ id }) => id === of.action)) continue;
    // A second fault on a failed request has no effect, or hides the first.
    const isFailed =
      status === 0 || status >= 400 || present.some((each) => each.at === name && isFault(each));
    const target = skip > 0 ? { of, skip } : { of };
    const occasion = createRequestOccasion(request, run, bounds);
    for (const { name: network, deviations } of OF_REQUESTS) {
      if (isFailed && !deviations!.isOfFailed) continue;
      for (const [kind, fields] of deviations!.forRequest!(occasion)) {
        const rule = { network, ...target, ...fields } as NetworkRule;
        add(arrived, `${kind} ${requestKind}`, { kind, rule, at: name });
      }
    }
  }
  for (const step of traced.steps) {
    const occasion = findStepOccasion(step, run, bounds);
    if (!occasion) continue;
    for (const { name: network, deviations } of OF_STEPS)
      for (const [kind, fields] of deviations!.forStep!(occasion)) {
        const rule = { network, of: { step: step.id }, ...fields } as NetworkRule;
        add(step.place, kind, { kind, rule, at: formatStepName(step.id) });
      }
  }
  return found;
}

/** Only one is allowed per request: a second would hide the other. */
export function isFault({ rule }: Deviation): boolean {
  return readVerb(rule).deviations?.isFault === true;
}

/** No other deviation is tried with it. */
export function isAlone({ rule, kind }: Deviation): boolean {
  return readVerb(rule).deviations?.alone?.includes(kind) === true;
}

/**
 * The priority of each candidate, in their order; low numbers come first. The first of every sort precedes the second of any, so that the
 * beginning of a search covers every sort. Of several polls the first comes second: most clients handle it with more care.
 */
export function assignPriorities(candidates: readonly DeviationCandidate[]): number[] {
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
  pollsOverlap: boolean;
}

function createRequestOccasion(request: TracedRequest, run: RunFacts, bounds: Bounds): DeviationRequest {
  const { traced, causality, isDefault, pollsOverlap } = run;
  const { kind, arrived, responded, events } = request;
  // A client that polls sequentially does not know the events of later polls while one is held.
  const listUnseenEvents = () =>
    kind === 'poll' ? traced.requests.flatMap((each) => (each.arrived > arrived ? each.events : [])) : [];
  return {
    ...bounds,
    kind,
    isFirst: isDefault && isFirstOfSort(request, traced),
    events: events.length,
    hasEarlierEvents: traced.requests.some((each) => each.responded < arrived && each.events.length > 0),
    pollsOverlap: kind === 'poll' && pollsOverlap,
    waits(side) {
      const [until, place] =
        side === 'request' ? (['handled', arrived] as const) : (['responded', responded] as const);
      const unseen = side === 'request' ? [...events, ...listUnseenEvents()] : listUnseenEvents();
      return traced.steps
        .filter((step) => step.place > place)
        .slice(0, REACH)
        .filter(
          ({ id }) =>
            !causality.isRequestRequired(id, request, until) && !causality.isEventRequired(id, unseen),
        )
        .map(({ id }) => ({ step: id }));
    },
    next() {
      const next = traced.requests.find(
        (each) => each.arrived > arrived && each.skip === 0 && !isSameSort(each, request),
      );
      // Whether a client continues meanwhile is visible only once a request takes long.
      const mayProceed = isDefault && kind !== 'poll';
      return next && (mayProceed || hasOverlap(traced, kind, next.kind)) ? { arrive: next.of } : undefined;
    },
  };
}

function isFirstOfSort({ name, kind, of }: TracedRequest, { requests }: TracedRun): boolean {
  const isClose = (target: TracedRequest['of']) => target.action === 'close';
  return requests.find((each) => each.kind === kind && isClose(each.of) === isClose(of))?.name === name;
}

/** Undefined for a step that is not in the timeline. */
function findStepOccasion(
  { id, place }: TracedStep,
  { scenario: { timeline }, traced, causality }: RunFacts,
  bounds: Bounds,
): DeviationStep | undefined {
  const step = timeline.find((each) => each.id === id) as ServiceStep | undefined;
  if (!step) return undefined;
  const isSentBy = (wanted: string, ...services: ServiceStep['service'][]) =>
    timeline.some((each) => each.id === wanted && 'service' in each && services.includes(each.service));
  return {
    ...bounds,
    step,
    hasEarlierEvents: traced.steps.some(
      (each) => each.place < place && isSentBy(each.id, 'tool_call', 'result', 'event'),
    ),
    hasResults: timeline.some((each) => 'service' in each && each.service === 'result'),
    waits: () =>
      traced.requests
        .filter((each) => each.arrived > place && each.skip === 0 && !causality.isStepRequired(each, id))
        .slice(0, REACH)
        .map((each) => ({ arrive: each.of })),
  };
}

/** A request of one kind was in flight when one of the other arrived. */
function hasOverlap({ requests }: TracedRun, kind: string, other: string): boolean {
  return requests.some(
    (one) =>
      one.kind === kind &&
      requests.some((two) => two.kind === other && two.arrived > one.arrived && two.arrived < one.responded),
  );
}

/** Two polls, or two tries of the same request: they are sequential anyway. */
function isSameSort(a: TracedRequest, b: TracedRequest): boolean {
  return (a.kind === 'poll' && b.kind === 'poll') || JSON.stringify(a.of) === JSON.stringify(b.of);
}
