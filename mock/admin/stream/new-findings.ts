import type { Finding } from '../../../spec/vocabulary.js';
import type { NetworkedOrganisation } from '../../network/network.js';
import type { SendEvent, StreamSource } from './live-stream.js';

/** Shortest time between two judgements of one organisation, ms: rules read its whole journal. */
const EVERY_MS = 1000;

/** A finding of a stream. A later one with the same id replaces it. */
export type StreamedFinding = Finding & {
  /** Unique in its organisation. */
  id: string;
  /** Absent if one judge reads the exchanges of all organisations. */
  organisation?: string;
};

/** How many organisations with exchanges have been judged since the stream began. */
export interface JudgingProgress {
  judged: number;
  total: number;
}

/** The part of the time that judging may take for one stream while requests arrive, and of a mock without requests. */
const SHARE = { least: 0.02, most: 0.5 };
/** Time that a new stream may use in addition, ms: a new page shows the findings of all small organisations soon. */
const AT_FIRST_MS = 1000;
/** After this time in one batch the rest waits for the next, ms: clients are served in between. */
const SLICE_MS = 50;

/** The state of an organisation that was judged, and when, ms. */
interface JudgedState {
  seq: number;
  inFlight: number;
  at: number;
}

/** Reports new, changed and withdrawn findings. Judges only organisations with new exchanges, as many as fit into a time slice. */
export class NewFindings {
  /** The reported findings by id. */
  #reported = new WeakMap<object, ReadonlyMap<string, Finding>>();
  #judged = new WeakMap<NetworkedOrganisation, JudgedState>();
  /** Time that may be used, ms; negative after an organisation that took longer. */
  #balance = AT_FIRST_MS;
  #balancedAt: number | undefined;
  /** Requests that the mock had received then. */
  #requests = 0;
  /** The last reported progress. */
  #progress = '';

  /** `measure`: a clock for the duration of the work, ms. */
  constructor(
    private readonly source: StreamSource,
    private readonly send: SendEvent,
    private readonly measure: () => number,
  ) {}

  /** After a reset, the same finding is reported again. */
  forget(): void {
    this.#reported = new WeakMap();
    this.#judged = new WeakMap();
  }

  /** Judges the next organisations that are due. `now`: ms of real time. */
  async collect(now: number): Promise<void> {
    const earned = this.#computeShare() * (now - (this.#balancedAt ?? now));
    if (this.#balance < SLICE_MS) this.#balance = Math.min(SLICE_MS, this.#balance + earned);
    this.#balancedAt = now;
    if (this.#balance <= 0) return;
    const due = this.#listDue(now);
    if (due.length === 0) return;
    await this.source.prepareFindings?.();
    const began = this.measure();
    for (const organisation of due) {
      const start = this.measure();
      if (this.#balance <= 0 || start - began >= SLICE_MS) break;
      for (const each of this.source.hasCommonJudge ? due : [organisation])
        this.#judged.set(each, { seq: each.journal.seq, inFlight: each.inFlight, at: now });
      this.#report(organisation);
      this.#balance -= this.measure() - start;
      if (this.source.hasCommonJudge) break;
    }
    this.#reportProgress();
  }

  /** One divided by the number of requests since the last call: judging must not delay clients, but a mock without clients has time. */
  #computeShare(): number {
    const { hasCommonJudge } = this.source;
    let requests = 0;
    // With a common judge, the journals number their exchanges together.
    for (const { journal } of this.source.listOrganisations())
      requests = hasCommonJudge ? Math.max(requests, journal.seq) : requests + journal.seq;
    const share = 1 / Math.max(1, requests - this.#requests);
    this.#requests = requests;
    return Math.min(SHARE.most, Math.max(SHARE.least, share));
  }

  /** New organisations first, small ones before large ones; then those that were judged longest ago. */
  #listDue(now: number): NetworkedOrganisation[] {
    const due = [...this.source.listOrganisations()].filter((organisation) => {
      const { journal, inFlight } = organisation;
      const judged = this.#judged.get(organisation);
      if (!judged) return true;
      return judged.at <= now - EVERY_MS && (judged.seq !== journal.seq || judged.inFlight !== inFlight);
    });
    const readAge = (each: NetworkedOrganisation) => this.#judged.get(each)?.at ?? Number.NEGATIVE_INFINITY;
    return due.sort((one, other) => {
      const [first, second] = [readAge(one), readAge(other)];
      return first === second ? one.journal.seq - other.journal.seq : first - second;
    });
  }

  /** A stream that keeps up has nothing to report. */
  #reportProgress(): void {
    const all = [...this.source.listOrganisations()].filter(({ journal }) => journal.seq > 0);
    const judged = all.filter((each) => this.#judged.has(each)).length;
    const isComplete = judged === all.length;
    if (isComplete && this.#progress === '') return;
    const progress = `${judged} ${all.length}`;
    if (progress !== this.#progress) this.send('judging', { judged, total: all.length });
    this.#progress = isComplete ? '' : progress;
  }

  #report(organisation: NetworkedOrganisation): void {
    const { hasCommonJudge } = this.source;
    const scope = hasCommonJudge ? {} : { organisation: organisation.name };
    const judged = hasCommonJudge ? this.source : organisation;
    const before = this.#reported.get(judged);
    const found = identifyFindings(this.source.listFindings(organisation));
    this.#reported.set(judged, found);
    for (const [id, finding] of found)
      if (JSON.stringify(before?.get(id)) !== JSON.stringify(finding))
        this.send('finding', { ...finding, ...scope, id });
    for (const id of before?.keys() ?? []) if (!found.has(id)) this.send('withdrawn', { ...scope, id });
  }
}

/** By rule, subject and first evidence, which stay the same while a finding grows. */
function identifyFindings(findings: readonly Finding[]): ReadonlyMap<string, Finding> {
  const found = new Map<string, Finding>();
  for (const finding of findings) {
    const { rule, task, event, evidence } = finding;
    const id = [rule, task, event, evidence[0]].filter((part) => part !== undefined).join(' ');
    let unique = id;
    for (let n = 2; found.has(unique); n++) unique = `${id} ${n}`;
    found.set(unique, finding);
  }
  return found;
}

const PAUSE_FACTOR = 60;

/**
 * The pause after work that began at `start` (of `performance.now()`), ms: a multiple of the work's duration, so that clients are served.
 */
export function computePause(start: number): number {
  return (performance.now() - start) * PAUSE_FACTOR;
}
