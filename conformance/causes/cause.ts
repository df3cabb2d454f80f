import type { RequirementId } from '../../spec/generated/documents.js';
import type { OperationId } from '../../spec/generated/operations.js';
import type { Severity, Side } from '../../spec/requirement-types.js';

/** Where a client was in its conversation when it gave up, hung or died. Failures of one rule in different situations are different defects. */
export interface Situation {
  /** What it waited for, in words: they follow "waiting for". */
  waits: string;
  /** The last news that it had been given, in words: they follow "after". */
  given: string;
  /** Its process ended by an error that nothing caught, or in the middle of an await. */
  died?: true;
  /** The error that it reported, without numbers and ids. */
  error?: string;
}

/** What the grouping reads of a check. */
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

/** What probably causes failures: one defect. Every failed check is in exactly one cause. */
export interface Cause {
  /** The rule or requirement that is broken, and in which situation; unique in a report. */
  id: string;
  /** The defect in a sentence; of a service what was expected and what came, of the example. */
  title: string;
  /** The requirement that the example breaks, then others that have most of their failures here. */
  requirements: RequirementId[];
  /** The rule about exchanges that found it, else the requirement. */
  rule: string;
  /** The operation that all of these failures are about, if it is one. */
  operation: OperationId | null;
  /** The harm that it does: what is graver comes first, however few failures show it. */
  severity: Severity;
  /** How many failures it explains. */
  explains: number;
  /** Other causes show only in runs that fail by this one too: they may be consequences of it. */
  first?: true;
  /** Of a client: what every scenario in which it shows needs, and none that passes. The client may lack it. */
  lacks?: string;
  /** Id of the check that shows it best. */
  example: string;
  /** Ids of all failed checks that it explains. */
  checks: string[];
}
