import type { RequirementId } from '../../spec/generated/documents.js';
import type { OperationId } from '../../spec/generated/operations.js';
import type { Severity, Side } from '../../spec/requirement-types.js';

/**
 * The state of the conversation when a client gave up, hung or crashed. Failures of one rule in different situations are
 * different defects.
 */
export interface Situation {
  /** What the client waited for; follows "waiting for" in a sentence. */
  waits: string;
  /** The last information that the client received; follows "after" in a sentence. */
  given: string;
  /** The process ended by an uncaught error, or while an await was pending. */
  died?: true;
  /** The error that the client reported, without numbers and ids. */
  error?: string;
}

export interface JudgedCheck {
  id: string;
  /** The test case or scenario. */
  case: string;
  covers: readonly RequirementId[];
  side?: Side;
  rule?: string;
  outcome: string;
  message: string;
  evidence: readonly number[];
  again_in?: readonly number[];
  situation?: Situation;
  severity?: Severity;
  shrunk?: true;
}

/** A defect that probably causes failures. Every failed check is in exactly one cause. */
export interface Cause {
  /** The violated rule or requirement, and the situation; unique in a report. */
  id: string;
  /** The defect in a sentence; for a service, the expected and the actual value in the example. */
  title: string;
  /** The requirement that the example violates, then others that have most of their failures here. */
  requirements: RequirementId[];
  /** The rule that found it, else the requirement. */
  rule: string;
  /** The operation that all these failures concern; null if there are several. */
  operation: OperationId | null;
  /** The harm that it does. The most severe cause comes first, whatever its number of failures. */
  severity: Severity;
  explains: number;
  /** Other causes occur only in runs that fail by this one too: they may be consequences of it. */
  first?: true;
  /** Clients only: what every failing scenario of this cause needs, and no passing scenario. The client may lack it. */
  lacks?: string;
  /** Id of the check that shows it best. */
  example: string;
  checks: string[];
}
