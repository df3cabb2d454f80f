import type { Finding } from '../../../spec/vocabulary.js';
import type { NetworkedOrganisation } from '../../network/network.js';
import { computePause } from './compute-pause.js';
import type { StreamSource } from './live-stream.js';

/** An organisation is judged so often at most, ms: rules read its whole journal. */
const EVERY_MS = 1000;

type FindingSource = Pick<StreamSource, 'listOrganisations' | 'prepareFindings' | 'listFindings'>;

/** What the rules find, each finding once. Only organisations with news are judged, one at a time. */
export class NewFindings {
  readonly #known = new Set<string>();
  /** What was judged, and when, ms. */
  #judged = new WeakMap<NetworkedOrganisation, { state: string; at: number }>();
  #pauseUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly source: FindingSource,
    private readonly send: (finding: Finding) => void,
  ) {}

  /** After a reset the same finding is another one. */
  forget(): void {
    this.#known.clear();
    this.#judged = new WeakMap();
  }

  /** Judges the organisation with news whose turn it is. `now`: ms of real time. */
  async collect(now: number): Promise<void> {
    if (now < this.#pauseUntil) return;
    const organisation = this.#findNext(now);
    if (!organisation) return;
    await this.source.prepareFindings?.();
    const start = performance.now();
    this.#judged.set(organisation, { state: describeState(organisation), at: now });
    for (const finding of this.source.listFindings(organisation)) {
      const text = JSON.stringify(finding);
      if (this.#known.has(text)) continue;
      this.#known.add(text);
      this.send(finding);
    }
    this.#pauseUntil = now + computePause(start);
  }

  /** Among those with news, the one that was judged longest ago. */
  #findNext(now: number): NetworkedOrganisation | undefined {
    let next: NetworkedOrganisation | undefined;
    let earliest = now - EVERY_MS;
    for (const organisation of this.source.listOrganisations()) {
      const { state, at = Number.NEGATIVE_INFINITY } = this.#judged.get(organisation) ?? {};
      if (state === describeState(organisation) || at > earliest) continue;
      [next, earliest] = [organisation, at];
      if (at === Number.NEGATIVE_INFINITY) break;
    }
    return next;
  }
}

/** Changes with each exchange that begins or ends. */
function describeState({ journal, inFlight }: NetworkedOrganisation): string {
  return `${journal.seq} ${inFlight}`;
}
