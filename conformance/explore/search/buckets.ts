import type { Bucket } from '../types.js';

/** What the judge has to say, as far as buckets need it. */
export interface BucketFinding {
  rule: string;
  about?: string | undefined;
  level: 'must' | 'advice';
  message: string;
  evidence: number[];
}

/** Failures with the same key are one: the same rule, about the same thing, of the same weight. */
export function bucketOf({ rule, about, level }: BucketFinding): Bucket {
  const words = [rule, about ?? '', level === 'advice' ? '(advice)' : ''];
  return { key: words.filter(Boolean).join(' '), rule, about, level };
}

/** Buckets that were met so far, and how often. */
export class Buckets {
  readonly #seen = new Map<string, number>();
  readonly #known: ReadonlySet<string>;

  constructor(known: readonly string[] = []) {
    this.#known = new Set(known);
  }

  /** Counts what one run showed, once a bucket; gives the findings that are the first of a bucket nobody knows. */
  add(findings: readonly BucketFinding[]): BucketFinding[] {
    const inRun = new Set<string>();
    const fresh: BucketFinding[] = [];
    for (const finding of findings) {
      const { key } = bucketOf(finding);
      if (inRun.has(key)) continue;
      inRun.add(key);
      const before = this.#seen.get(key) ?? 0;
      this.#seen.set(key, before + 1);
      if (before === 0 && !this.isKnown(key)) fresh.push(finding);
    }
    return fresh;
  }

  isKnown(key: string): boolean {
    return this.#known.has(key);
  }

  seen(key: string): number {
    return this.#seen.get(key) ?? 0;
  }

  /** Known ones that came, and how often. */
  passedOver(): { key: string; seen: number }[] {
    return [...this.#known].flatMap((key) => (this.seen(key) > 0 ? [{ key, seen: this.seen(key) }] : []));
  }
}
