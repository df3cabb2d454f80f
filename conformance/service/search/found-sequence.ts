import type { SequenceSearchResult } from '../runner/result.js';
import type { ResponseDifference } from './judge/compare.js';
import type { SequenceFinding } from './judge/model-comparison.js';
import type { SequenceRun } from './play.js';
import type { Sequence } from './sequence/sequence.js';

/** A failure, with the shortest sequence found that shows it. */
export interface FoundSequence {
  /** Identifies the failure (see `formatKey`). */
  key: string;
  finding: SequenceFinding;
  sequence: Sequence;
  /** The last run of the sequence. */
  run: SequenceRun;
  /** How many of `RUNS_AGAIN` more runs showed the failure. */
  shown: number;
  /** Describes why the service seems to have replicas without shared state. */
  replicas?: string;
  /** Number of drawn sequences that showed it, and the number of the first. */
  seen: number;
  first: number;
}

export interface ServiceSearch {
  found: FoundSequence[];
  /** Differences that no stated requirement decides, each once with its count. */
  observations: (ResponseDifference & { seen: number })[];
  sequences: number;
  requests: number;
  coverage: SequenceSearchResult['coverage'];
  /** The first sequence that showed each met requirement. */
  kept: SequenceRun[];
  left: string[];
  /** Why the search ended early. */
  stopped?: string;
}

/** Identifies a failure among those of a search. */
export function formatKey({ requirement, rule, difference }: SequenceFinding): string {
  return rule ?? `${requirement} ${difference?.operation} ${difference?.about}`;
}

/** The file name for a failure, without the extension. */
export function formatFileName({ key }: Pick<FoundSequence, 'key'>): string {
  return key.replace(/\W+/g, '-').slice(0, 80);
}
