/** The shapes of requirements.yaml, open-points.yaml and the files in dialects/. */

/**
 * `must`: stated as a rule, obliged by one, or a term of the job that `taskdouble client` gives. `advice`: recommended, or good
 * sense that follows from the rules; never a failure.
 */
export type Level = 'must' | 'advice';

/** The harm that a breach of a rule does, the gravest first: it decides which cause is reported first, before the count does. */
export const SEVERITIES = ['leak', 'loss', 'state', 'form'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The side that a requirement binds. */
export type Side = 'service' | 'client';

/** One rule of the API. */
export interface Requirement {
  /** Family and number, `POLL-02`: stable for good. */
  readonly id: string;
  readonly level: Level;
  readonly side: Side;
  /** The rule in one sentence. */
  readonly rule: string;
  /** The heading of the API description that it comes from. */
  readonly section: string;
  /** Operation ids; empty when the rule is about every operation. */
  readonly operations: readonly string[];
  /** The operation whose purpose the rule states: each has one such rule. */
  readonly describes?: string;
  /** Not the response to that operation shows that the rule is kept, but the effect of the request. */
  readonly evidence?: 'effect';
  /** The harm that a breach does, where it is not a wrong state. Whether it is a leak only the exchanges show. */
  readonly severity?: Severity;
  /** Why exchanges over HTTP cannot show whether it is kept. */
  readonly unobservable?: string;
}

interface CommonPoint {
  /** Family and name, `auth.missing-key`: stable for good. */
  readonly id: string;
  readonly section: string;
  /** The requirements that the choice touches: every choice keeps them. A point that has a choice names one at least. */
  readonly requirements?: readonly string[];
  /** What the description leaves open, as a question. */
  readonly question: string;
  /** Why the default is what it is. */
  readonly why: string;
  /** False when the responses of a service do not show its choice; true when absent. */
  readonly observable?: boolean;
}

/** A point with named choices, or a single choice without an alternative. */
export interface ChoicePoint extends CommonPoint {
  readonly kind: 'choice';
  /** What each choice means, by its name. */
  readonly choices: Readonly<Record<string, string>>;
  readonly default: string;
}

/** A point whose value is a number. */
export interface NumberPoint extends CommonPoint {
  readonly kind: 'number';
  /** Bounds are inclusive and, like the default, in `unit`. */
  readonly choices: {
    readonly type: 'integer';
    readonly unit: 'ms' | 'bytes' | 'count' | 'per-second';
    readonly minimum: number;
    readonly maximum: number;
  };
  readonly default: number;
  /** The meaning of 0, if special. */
  readonly zero?: string;
}

/** Something that the API leaves open. */
export type OpenPoint = ChoicePoint | NumberPoint;

/** The contents of a dialect file: choices by the id of their point; points left out keep their default. */
export interface DialectFile {
  readonly title: string;
  readonly choices: Readonly<Record<string, unknown>>;
}
