import type { Exchange } from '../../../spec/vocabulary.js';
import { NO_ORGANISATION } from '../recorder.js';
import { NearestPlace } from './nearest-place.js';
import type { Asked } from './sameness.js';
import { type Found, type Take, Voice } from './voice.js';

/** Keys beyond those that were recorded which are remembered, each with whose answers it gets. */
const MOST_SHARING = 10_000;

/** A recorded conversation: what each API key said, and what was asked without belonging to any. */
export class Recording {
  readonly size: number;
  readonly #voices: Voice[];
  readonly #others: Voice | undefined;
  #places: NearestPlace | undefined;
  /** Which key has taken which voice for itself. */
  #taken = new Map<string, Voice>();
  /** Keys for which there was none left, the one that came first in front. */
  #sharing = new Map<string, Voice>();

  constructor(exchanges: readonly Exchange[]) {
    this.size = exchanges.length;
    const { keyed, others } = byVoice(exchanges);
    this.#voices = keyed;
    this.#others = others;
  }

  /** The exchange that answers a request under `key`, and whose it is. */
  find(asked: Asked, key: string): { found: Found; voice: Voice | undefined } {
    if (this.#others?.has(asked)) return { found: this.#others.find(asked), voice: this.#others };
    // A browser that looks for an icon is no client, and takes nobody's voice.
    const isClient = asked.path.startsWith('/api/') || this.#voices.some((voice) => voice.has(asked));
    const voice = isClient ? this.#voiceOf(key, asked) : undefined;
    return { found: voice?.find(asked), voice };
  }

  reset(): void {
    this.#taken = new Map();
    this.#sharing = new Map();
    for (const voice of this.#all()) voice.reset();
  }

  get played(): number {
    return this.#all().reduce((sum, { takes }) => sum + takes.filter((take) => take.played).length, 0);
  }

  /** The first exchange that has not been played yet. */
  get next(): Take | undefined {
    const open = this.#all().flatMap((voice) => voice.next ?? []);
    return open.sort((one, other) => one.number - other.number)[0];
  }

  /** The exchange whose method and path are most like these. */
  nearest(asked: Asked): Take | undefined {
    this.#places ??= new NearestPlace(this.#all().flatMap(({ takes }) => takes));
    return this.#places.of(asked);
  }

  #all(): Voice[] {
    return this.#others ? [...this.#voices, this.#others] : this.#voices;
  }

  /** Any key is taken: each new one gets the next voice of the recording, and those beyond share what there is. */
  #voiceOf(key: string, asked: Asked): Voice | undefined {
    const known = this.#taken.get(key) ?? this.#sharing.get(key);
    if (known) return known;
    const alike = this.#voices.filter((voice) => voice.isKeyless === (key === ''));
    const used = new Set(this.#taken.values());
    const free = choose(
      alike.filter((voice) => !used.has(voice)),
      asked,
    );
    if (free) this.#taken.set(key, free);
    return free ?? this.#share(key, choose(alike, asked) ?? choose(this.#voices, asked));
  }

  #share(key: string, voice: Voice | undefined): Voice | undefined {
    if (!voice) return undefined;
    this.#sharing.set(key, voice);
    // It takes part again when it comes again.
    if (this.#sharing.size > MOST_SHARING) this.#sharing.delete(this.#sharing.keys().next().value!);
    return voice;
  }
}

function choose(voices: readonly Voice[], asked: Asked): Voice | undefined {
  return voices.find((voice) => voice.expects(asked)) ?? voices[0];
}

/**
 * By the number of the key, else by the name of the organisation; each in the order in which its requests came. A file
 * that was appended to holds several recordings, one behind the other: their numbers begin again.
 */
function byVoice(exchanges: readonly Exchange[]): { keyed: Voice[]; others: Voice | undefined } {
  const voices = new Map<string, { exchange: Exchange; number: number; part: number }[]>();
  let seen = new Set<string>();
  let part = 0;
  exchanges.forEach((exchange, index) => {
    const { key, organisation, seq } = exchange;
    const place = `${organisation} ${seq}`;
    if (seen.has(place)) {
      part++;
      seen = new Set();
    }
    seen.add(place);
    const name = key === undefined ? organisation : `key ${key}`;
    const voice = voices.get(name) ?? [];
    voice.push({ exchange, number: index + 1, part });
    voices.set(name, voice);
  });
  const ordered = new Map(
    [...voices].map(([name, all]) => {
      // Of one key, but of two organisations where it was reset between: those stay as they came.
      all.sort((one, other) => one.part - other.part || inOrder(one, other));
      return [name, new Voice(all)] as const;
    }),
  );
  const others = ordered.get(NO_ORGANISATION);
  ordered.delete(NO_ORGANISATION);
  // The first to be heard first: what is written down last may have come first.
  const keyed = [...ordered.values()].sort((one, other) => firstOf(one) - firstOf(other));
  return { keyed, others };
}

type Numbered = { exchange: Exchange; number: number };

function inOrder(one: Numbered, other: Numbered): number {
  const same = one.exchange.organisation === other.exchange.organisation;
  return same ? one.exchange.seq - other.exchange.seq : one.number - other.number;
}

/** Keys are numbered in the order of their first use. */
function firstOf(voice: Voice): number {
  const { exchange, number } = voice.takes[0]!;
  return exchange.key ?? number;
}
