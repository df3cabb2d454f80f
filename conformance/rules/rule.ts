import type { RequirementId } from '../../spec/generated/documents.js';
import type { OperationId } from '../../spec/generated/operations.js';
import type { Level, Side } from '../../spec/requirement-types.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import type { TaskConversation } from '../conversation/task-conversation.js';

/** Something wrong, as a rule sees it. */
export interface Complaint {
  /** Where, what was expected, what came, what to do. */
  message: string;
  /** `seq` of the exchanges that show it, the one that decides it last. */
  evidence: number[];
  /** Where the rule knows it better than the exchange. */
  task?: string;
  /** What it is about, a call for example: complaints of a rule about the same thing in a task make one finding. */
  about?: string;
}

/** A rule at work on one stream of exchanges. */
export interface Watcher {
  /** Is shown the exchanges in the order in which they ended, so that what the client knew comes before what it did. */
  see(exchange: ReadExchange): Complaint[];
  /** What there is to say if nothing more came. Changes nothing: it is asked as often as somebody wants to know. */
  end?(): Complaint[];
  /**
   * `seq` of exchanges that would have shown a breach and showed that the rule was kept. A check passes on these alone:
   * a rule that stayed silent has shown nothing. Rules of the service's side fill it; the first twenty do.
   */
  readonly held?: readonly number[];
}

/**
 * A rule of the protocol as an automaton over exchanges. It knows nothing of where they came from, a journal, a proxy
 * or a HAR file, and stays silent where the exchanges do not prove anything: they may begin in the middle of a
 * conversation, be cut, or hold nonsense.
 */
interface AnyRule {
  /** Family and name, `replies/code`: stable for good. */
  readonly id: string;
  /** The requirements it holds. Findings quote the first. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
  /**
   * A rule about the service is shown no responses that the network made or changed.
   */
  readonly side: Side;
  /** `advice` wherever the API does not oblige; never heavier than the requirement. */
  readonly level: Level;
  /** What it asks for, in one sentence. */
  readonly title: string;
  /** It compares times, and is of use only where the clock of the exchanges runs at least as fast as the client's. */
  readonly timed?: true;
  /** It is shown exchanges of these operations alone; all when left out. */
  readonly only?: readonly OperationId[];
}

/** A watcher for each task sees the exchanges about it. */
export interface TaskRule extends AnyRule {
  readonly scope: 'task';
  /** A watcher that is shown an exchange finds in the conversation what was before it. */
  start(task: TaskConversation): Watcher;
}

/** One watcher sees all exchanges. */
export interface StreamRule extends AnyRule {
  readonly scope: 'stream';
  start(): Watcher;
}

export type Rule = TaskRule | StreamRule;

/** For rules that look at one exchange at a time. */
export function watching(see: (exchange: ReadExchange) => Complaint[]): () => Watcher {
  const watcher = { see };
  return () => watcher;
}
