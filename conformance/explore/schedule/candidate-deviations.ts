import type { NetworkRule, Scenario, ServiceStep } from '../../../scenarios/format/types.js';
import type { DeviationKind } from '../types.js';
import type { Causality } from './causality.js';
import type { TracedRequest, TracedRun, TracedStep } from './traced-run.js';

/** How long a hold lasts at most and how much an answer is delayed, ms: below the time-outs that clients set themselves. */
export interface Bounds {
  hold_ms: number;
  delay_ms: number;
}

/** How far apart two things are at most that change places, counted in things of the other sort. */
export const REACH = 3;

/** What offers are made from. */
export interface Ground {
  scenario: Scenario;
  story: TracedRun;
  causality: Causality;
  bounds: Bounds;
  /** Nothing goes otherwise yet. */
  isDefault: boolean;
}

/** Takes what could go otherwise. */
export type Offer = (kind: DeviationKind, rule: NetworkRule) => void;

/** What may be lost, refused or spoilt on the way. */
export function offerFaults(request: TracedRequest, { bounds }: Ground, offer: Offer): void {
  const { kind } = request;
  const of = aim(request);
  const changes = kind !== 'poll';
  offer('response-lost', { network: 'drop', ...of, side: 'response' });
  offer('limited', { network: 'fail', ...of, status: 429, retry_after_s: 1 });
  offer('unavailable', { network: 'fail', ...of, status: 503 });
  if (changes) {
    // A poll that is lost on its way there is like one whose answer is lost; others are not handled then.
    offer('request-lost', { network: 'drop', ...of, side: 'request' });
    offer('unavailable', { network: 'fail', ...of, status: 503, side: 'response' });
  }
  offer('garble', { network: 'garble', ...of });
  if (!changes) offer('truncate', { network: 'truncate', ...of });
  offer('delay', { network: 'delay', ...of, time_ms: bounds.delay_ms });
}

/** What a poll's answer may say otherwise. */
export function offerReadings(request: TracedRequest, { story, bounds }: Ground, offer: Offer): void {
  if (request.kind !== 'poll') return;
  const of = aim(request);
  const { events, arrived } = request;
  const isRead = story.requests.some((each) => each.answered < arrived && each.events.length > 0);
  if (isRead) offer('redeliver', { network: 'redeliver', ...of });
  if (events.length > 0) offer('repeat', { network: 'repeat', ...of });
  if (events.length > 1) offer('shuffle', { network: 'shuffle', ...of });
  if (events.length === 0) {
    offer('reshape', { network: 'reshape', ...of, events: null });
    offer('reshape', { network: 'reshape', ...of, events: 'absent' });
  } else offer('reshape', { network: 'reshape', ...of, extra: { added_later: true } });
  if (overlaps(story, 'poll', 'poll'))
    offer('reorder', { network: 'reorder', ...of, at_most_ms: bounds.hold_ms });
}

/** What a request, or its answer, may come behind of. */
export function offerHolds(request: TracedRequest, ground: Ground, offer: Offer): void {
  const { story, causality, bounds, isDefault } = ground;
  if (request.kind === 'create') return;
  const of = aim(request);
  const at_most_ms = bounds.hold_ms;
  const unlearnt = eventsAfter(request, ground);
  const canCome = (id: string, until: 'handled' | 'answered') => {
    const unseen = until === 'handled' ? [...request.events, ...unlearnt] : unlearnt;
    return !causality.stepNeedsRequest(id, request, until) && !causality.stepNeedsEvents(id, unseen);
  };
  for (const { id } of story.steps.filter(({ place }) => place > request.arrived).slice(0, REACH))
    if (canCome(id, 'handled'))
      offer('hold-request', { network: 'hold', ...of, side: 'request', until: { step: id }, at_most_ms });
  for (const { id } of story.steps.filter(({ place }) => place > request.answered).slice(0, REACH))
    if (canCome(id, 'answered'))
      offer('hold-answer', { network: 'hold', ...of, side: 'response', until: { step: id }, at_most_ms });
  const next = story.requests.find(
    (each) => each.arrived > request.arrived && each.skip === 0 && !isSameSort(each, request),
  );
  if (!next) return;
  // Whether a client goes on meanwhile shows only once something takes long.
  const mayGoOn = isDefault && request.kind !== 'poll';
  if (!mayGoOn && !overlaps(story, request.kind, next.kind)) return;
  const until = { arrive: next.of };
  offer('late-answer', { network: 'hold', ...of, side: 'response', until, at_most_ms });
  offer('hold-request', { network: 'hold', ...of, side: 'request', until, at_most_ms });
}

/** What polls after this one bring: nothing of it is known while it is held, to a client that polls once at a time. */
function eventsAfter({ kind, arrived }: TracedRequest, { story }: Ground): string[] {
  if (kind !== 'poll') return [];
  return story.requests.flatMap((each) => (each.arrived > arrived ? each.events : []));
}

/** A request of the one kind was under way when one of the other came. */
function overlaps({ requests }: TracedRun, kind: string, other: string): boolean {
  return requests.some(
    (one) =>
      one.kind === kind &&
      requests.some((two) => two.kind === other && two.arrived > one.arrived && two.arrived < one.answered),
  );
}

/** What a step of the service may do otherwise, or come behind of. */
export function offerOtherSteps({ id, place }: TracedStep, ground: Ground, offer: Offer): void {
  const { scenario, story, causality, bounds } = ground;
  const step = scenario.timeline.find((each) => each.id === id) as ServiceStep | undefined;
  if (!step) return;
  const of = { of: { step: id } };
  const isEvent = step.service === 'tool_call' || step.service === 'result' || step.service === 'event';
  if (isEvent && story.steps.some((each) => each.place < place && isEventStep(each, scenario)))
    offer('same-instant', { network: 'same-instant', ...of });
  if (step.service === 'finish' && !step.at_once && scenario.timeline.some(isResult))
    offer('at-once', { network: 'at-once', ...of });
  if (step.service === 'tool_call' || step.service === 'result')
    offer('reissue', { network: 'reissue', ...of });
  const later = story.requests.filter(
    (each) => each.arrived > place && each.skip === 0 && !causality.requestNeedsStep(each, id),
  );
  for (const request of later.slice(0, REACH)) {
    const until = { arrive: request.of };
    offer('hold-step', { network: 'hold', ...of, until, at_most_ms: bounds.hold_ms });
  }
}

/** Two polls, or two tries of the same request: those wait for each other anyway. */
function isSameSort(a: TracedRequest, b: TracedRequest): boolean {
  return (a.kind === 'poll' && b.kind === 'poll') || JSON.stringify(a.of) === JSON.stringify(b.of);
}

function isEventStep({ id }: TracedStep, { timeline }: Scenario): boolean {
  const step = timeline.find((each) => each.id === id);
  return step !== undefined && 'service' in step && ['tool_call', 'result', 'event'].includes(step.service);
}

function isResult(step: Scenario['timeline'][number]): boolean {
  return 'service' in step && step.service === 'result';
}

/** The part of a rule that makes it mean exactly this request. */
function aim({ of, skip }: TracedRequest): Pick<NetworkRule, 'of' | 'skip'> {
  return skip > 0 ? { of, skip } : { of };
}
