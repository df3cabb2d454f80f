import type { TraceEntry } from '../../../mock/network/tracer.js';
import type { RuleTarget } from '../../../scenarios/verbs/target.js';
import type { RequestKind } from '../../../spec/vocabulary.js';

/** A request of a run. Places number the relevant trace entries in order. */
export interface TracedRequest {
  name: string;
  kind: RequestKind;
  of: RuleTarget;
  skip: number;
  /** Place of its arrival, and of its response (Infinity: it never left). */
  arrived: number;
  responded: number;
  /** 0: lost, or no response. */
  status: number;
  /** Steps whose events its response carried. */
  events: readonly string[];
}

export interface TracedStep {
  /** Id in the timeline. */
  id: string;
  place: number;
}

/** Requests and steps of the first task of a run. Of consecutive empty polls it has only the first. */
export interface TracedRun {
  requests: TracedRequest[];
  steps: TracedStep[];
  /** Place of a request (by name) or of a step (`step ID`). */
  places: ReadonlyMap<string, number>;
}

/** Name of a service step in `Deviation.at`. */
export function formatStepName(id: string): string {
  return `step ${id}`;
}

export function readTrace(trace: readonly TraceEntry[]): TracedRun {
  const requests: TracedRequest[] = [];
  const steps: TracedStep[] = [];
  const places = new Map<string, number>();
  const open = new Map<number, TracedRequest>();
  const repeated = collectRepeatedPolls(trace);
  const task = trace.find((entry) => entry.what === 'step')?.task;
  let place = 0;
  for (const entry of trace) {
    if (entry.what === 'step') {
      if (entry.step === undefined || entry.task !== task) continue;
      steps.push({ id: entry.step, place });
      places.set(formatStepName(entry.step), place++);
    } else if (repeated.has(entry.seq)) {
      if (entry.what === 'arrive') places.set(entry.name, place);
    } else if (entry.what === 'arrive') {
      if (isOfOtherTask(entry)) continue;
      const { name, kind, of, skip, seq } = entry;
      const request = { name, kind, of, skip, arrived: place, responded: Infinity, status: 0, events: [] };
      open.set(seq, request);
      requests.push(request);
      places.set(name, place++);
    } else {
      const request = open.get(entry.seq);
      if (request) Object.assign(request, { responded: place++, status: entry.status, events: entry.events });
    }
  }
  return { requests, steps, places };
}

/** Network steps of a timeline apply to its own task: none targets a single request of a second task. */
function isOfOtherTask({ kind, task }: Extract<TraceEntry, { what: 'arrive' }>): boolean {
  return task === undefined ? kind === 'poll' || kind === 'cancel' : task > 1;
}

/** `seq` of the empty polls directly after another empty poll: they allow no deviation that the first does not allow. */
export function collectRepeatedPolls(trace: readonly TraceEntry[]): Set<number> {
  const empty = new Set<number>();
  for (const entry of trace) if (entry.what === 'response' && isEmptyPoll(entry)) empty.add(entry.seq);
  const repeated = new Set<number>();
  let isBehindOne = false;
  for (const entry of trace) {
    if (entry.what === 'step' || !empty.has(entry.seq)) isBehindOne = false;
    else if (entry.what === 'arrive') {
      if (isBehindOne) repeated.add(entry.seq);
      isBehindOne = true;
    }
  }
  return repeated;
}

/** The response to a poll without an event and without the end. */
export function isEmptyPoll({ kind, status, events }: Extract<TraceEntry, { what: 'response' }>): boolean {
  return kind === 'poll' && status === 202 && events.length === 0;
}
