import type { Finding } from '../../../spec/vocabulary.js';
import type { NetworkedOrganisation } from '../../network/network.js';
import type { StreamSource } from './live-stream.js';

/** Shortest time between two checks of one organisation, ms: rules read its whole journal. */
const EVERY_MS = 1000;

/** Reports each finding once. Checks only organisations with new exchanges, one at a time. */
export class NewFindings {
  readonly #known = new Set<string>();
  /** The checked state, and when it was checked, ms. */
  #checked = new WeakMap<NetworkedOrganisation, { state: string; at: number }>();
  #pauseUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly source: StreamSource,
    private readonly send: (finding: Finding) => void,
  ) {}

  /** After a reset, the same finding is reported again. */
  forget(): void {
    this.#known.clear();
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
    for (const finding of this.source.listFindings(organisation)) {
      const text = JSON.stringify(finding);
      if (this.#known.has(text)) continue;
      this.#known.add(text);
      this.send(finding);
    }
    this.#pauseUntil = now + computePause(start);
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
