/** The shapes of requirements.yaml, open-points.yaml and the files in dialects/. */

/**
 * `must`: a rule of the API, a consequence of one, or a term of the job of `taskdouble client`. `advice`: a recommendation; never a
 * failure.
 */
export type Level = 'must' | 'advice';

/** The harm of a violation, the most severe first. Causes are reported by severity, then by count. */
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
  /** The effect of the request shows whether the rule holds, not the response. */
  readonly evidence?: 'effect';
  /** The harm of a violation, if it is not `state`. Only the exchanges show whether it is a leak. */
  readonly severity?: Severity;
  /** Why HTTP exchanges cannot show whether the rule holds. */
  readonly unobservable?: string;
}

interface CommonPoint {
  /** Family and name, `auth.missing-key`: stable for good. */
  readonly id: string;
  readonly section: string;
  /** The requirements that the choice concerns; they hold with every choice. A point with a choice names at least one. */
  readonly requirements?: readonly string[];
  /** The open question. */
  readonly question: string;
  /** Reason for the default. */
  readonly why: string;
  /** False if the responses of a service do not show its choice. Default: true. */
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
