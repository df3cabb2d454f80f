import type { Finding } from '../../../spec/vocabulary.js';
import type { NetworkedOrganisation } from '../../network/network.js';
import type { SendEvent, StreamSource } from './live-stream.js';

/** Shortest time between two checks of one organisation, ms: rules read its whole journal. */
const EVERY_MS = 1000;

/** A finding of a stream. A later one with the same id replaces it. */
export type StreamedFinding = Finding & {
  /** Unique in its organisation. */
  id: string;
  /** Absent if one judge reads the exchanges of all organisations. */
  organisation?: string;
};

/** Reports new, changed and withdrawn findings. Checks only organisations with new exchanges, one at a time. */
export class NewFindings {
  /** The reported findings by id. */
  #reported = new WeakMap<object, ReadonlyMap<string, Finding>>();
  /** The checked state, and when it was checked, ms. */
  #checked = new WeakMap<NetworkedOrganisation, { state: string; at: number }>();
  #pauseUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly source: StreamSource,
    private readonly send: SendEvent,
  ) {}

  /** After a reset, the same finding is reported again. */
  forget(): void {
    this.#reported = new WeakMap();
    this.#checked = new WeakMap();
  }

  /** Checks the next organisation that is due. `now`: ms of real time. */
  async collect(now: number): Promise<void> {
    if (now < this.#pauseUntil) return;
    const organisation = this.#findNext(now);
    if (!organisation) return;
    await this.source.prepareFindings?.();
    const start = performance.now();
    this.#checked.set(organisation, { state: describeState(organisation), at: now });
    this.#report(organisation);
    this.#pauseUntil = now + computePause(start);
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

  /** The least recently checked organisation among those with new exchanges. */
  #findNext(now: number): NetworkedOrganisation | undefined {
    let next: NetworkedOrganisation | undefined;
    let earliest = now - EVERY_MS;
    for (const organisation of this.source.listOrganisations()) {
      const { state, at = Number.NEGATIVE_INFINITY } = this.#checked.get(organisation) ?? {};
      if (state === describeState(organisation) || at > earliest) continue;
      [next, earliest] = [organisation, at];
      if (at === Number.NEGATIVE_INFINITY) break;
    }
    return next;
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

function describeState({ journal, inFlight }: NetworkedOrganisation): string {
  return `${journal.seq} ${inFlight}`;
}

const PAUSE_FACTOR = 60;

/**
 * The pause after work that began at `start` (of `performance.now()`), ms: a multiple of the work's duration, so that clients are served.
 */
export function computePause(start: number): number {
  return (performance.now() - start) * PAUSE_FACTOR;
}
