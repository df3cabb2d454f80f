/** Something that is wrong with a service or a client of this folder. */
export interface Defect {
  id: string;
  sentence: string;
  /** A piece of the code that is wrong. */
  where: string;
  /**
   * The failed checks that are this defect or follow from it: a requirement or the id of a rule, and where others break that too
   * ` ~` and a pattern for `case: message`.
   */
  shows: string[];
}

export const defect = (id: string, sentence: string, where: string, ...shows: string[]): Defect => ({
  id,
  sentence,
  where,
  shows,
});

/** By the name of the file. */
export type DefectsByFile = Record<string, Defect[]>;

/** Causes that still hold two defects, by the name of the file: what one rule or requirement finds is one group. */
export type JoinedCauses = Record<string, string[]>;
