import type { Finding } from '../../../spec/vocabulary.js';
import type { NetworkedOrganisation } from '../../network/network.js';
import type { StreamSource } from './live-stream.js';
import { pauseAfter } from './pause-after.js';

/** An organisation is judged so often at most, ms: rules read its whole journal. */
const EVERY_MS = 1000;

type Source = Pick<StreamSource, 'organisations' | 'ready' | 'findings'>;

/** What the rules find, each finding once. Only organisations with news are judged, one at a time. */
export class NewFindings {
  readonly #known = new Set<string>();
  /** What was judged, and when, ms. */
  #judged = new WeakMap<NetworkedOrganisation, { state: string; at: number }>();
  #pauseUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly source: Source,
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
    const organisation = this.#next(now);
    if (!organisation) return;
    await this.source.ready?.();
    const start = performance.now();
    this.#judged.set(organisation, { state: stateOf(organisation), at: now });
    for (const finding of this.source.findings(organisation)) {
      const text = JSON.stringify(finding);
      if (this.#known.has(text)) continue;
      this.#known.add(text);
      this.send(finding);
    }
    this.#pauseUntil = now + pauseAfter(start);
  }

  /** Among those with news, the one that was judged longest ago. */
  #next(now: number): NetworkedOrganisation | undefined {
    let next: NetworkedOrganisation | undefined;
    let earliest = now - EVERY_MS;
    for (const organisation of this.source.organisations()) {
      const { state, at = Number.NEGATIVE_INFINITY } = this.#judged.get(organisation) ?? {};
      if (state === stateOf(organisation) || at > earliest) continue;
      [next, earliest] = [organisation, at];
      if (at === Number.NEGATIVE_INFINITY) break;
    }
    return next;
  }
}

/** Changes with each exchange that begins or ends. */
function stateOf({ journal, inFlight }: NetworkedOrganisation): string {
  return `${journal.seq} ${inFlight}`;
}
