import type { Level } from '../../spec/requirement-types.js';
import { MARKS_OF_LEVELS, SIGNS } from '../../spec/signs.js';
import type { Finding } from '../../spec/vocabulary.js';

/** Findings of one level, and their presentation. */
export interface LevelFindings {
  sign: string;
  /** A class of the style sheet. */
  tone: 'bad' | 'advice';
  /** Noun for one of them. */
  name: string;
  findings: readonly Finding[];
}

const LEVEL_STYLES = {
  must: { tone: 'bad', name: 'broken rule' },
  advice: { tone: 'advice', name: 'recommendation' },
} as const satisfies Record<Level, object>;

/** Broken rules first. Advice is a group of its own, because it is no failure. */
export function groupByLevel(all: readonly Finding[]): LevelFindings[] {
  return (['must', 'advice'] as const).flatMap((level) => {
    const findings = all.filter((each) => each.level === level);
    return findings.length === 0
      ? []
      : [{ ...LEVEL_STYLES[level], sign: SIGNS[MARKS_OF_LEVELS[level]], findings }];
  });
}
