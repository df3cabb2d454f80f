import type { Capability } from '../../scenarios/format/needs.js';
import type { RequirementId } from '../../spec/generated/documents.js';
import type { OperationId } from '../../spec/generated/operations.js';
import type { Level, Severity, Side } from '../../spec/requirement-types.js';
import type { Gap, RequiredEvidence } from '../conversation/gaps.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import type { TaskConversation } from '../conversation/task-conversation.js';

export interface RuleFinding {
  /** What happened, where, what was expected, and what to do. */
  message: string;
  /** `seq` of the exchanges that show it, the deciding one last. Default: the current exchange. */
  evidence?: number[];
  /** Overrides the task of the exchange. */
  task?: string;
  /**
   * The subject, for example a call. Findings of a rule about the same subject in a task are merged. Default for a rule
   * about the whole stream: the operation.
   */
  about?: string;
  /** Id of the call or action concerned. */
  event?: string;
  /** The exchanges prove it, even if the evidence in `needs` is incomplete. */
  isShown?: true;
  /** The message counts more than before: it replaces that of the earlier finding about the same subject. */
  isUpdate?: boolean;
  /** Lowers the level of the rule if the behavior may be permitted. */
  level?: 'advice';
  /** For a rule about the whole stream: the gap that leaves it undecided. */
  gap?: Gap | undefined;
}

/**
 * What an exchange shows of a rule. `kept`: a violation would have shown, and there is none. A check of a service passes
 * only on these: silence of a rule proves nothing. Any other text is the message of a finding.
 */
export type RuleResult = 'kept' | (string & {}) | RuleFinding | readonly RuleFinding[] | undefined;

/** Receives the exchanges in the order in which they ended: what the client knew comes before what it did. */
export type ExchangeHandler = (exchange: ReadExchange) => RuleResult;

/** The state of a rule for one task, or for one stream of exchanges. */
export interface Watcher {
  observe?: ExchangeHandler;
  /** Findings if no further exchange follows. Changes nothing: it may be called at any time. */
  conclude?(): readonly RuleFinding[];
}

export interface RuleContext {
  /** The state before the current exchange. Empty for rules about the whole stream. */
  task: TaskConversation;
  /** Reports an exchange other than the current one as evidence that the rule was kept; also from `conclude`. */
  reportKept(seq: number): void;
}

/** Data of a rule for grouping failures into causes. */
export interface RuleDefect {
  /** The defect as a sentence in the past tense, without its full stop: `A call was replied to twice`. */
  readonly defect: string;
  /** The defect of findings that quote another requirement than the first: they are another defect. */
  readonly defects?: Readonly<Partial<Record<RequirementId, string>>>;
  /**
   * Rules whose violation leads to a violation of this one, the most likely first: violated in the same run, they explain
   * it. `*`: any other failure can lead to it, and it leads to no other.
   */
  readonly consequenceOf?: readonly string[];
  /**
   * `form`: the form of any request. `field`: one field of an event; two fields are two defects, even in one request.
   * `request`: which request is sent. A rule of these three is violated with and without a disturbance.
   */
  readonly concerns?: 'form' | 'field' | 'request';
  /** A client that gives up leaves this undone, or reports it. */
  readonly onGivingUp?: 'left undone' | 'reported';
  /** A client that lacks what the job needs violates it too. */
  readonly onLack?: true;
  /** A client that never receives an event violates it too. */
  readonly followsFromLostEvent?: true;
  /** Default: `state`. */
  readonly severity?: Severity;
}

/**
 * A rule of the protocol as an automaton over exchanges. It does not depend on their source (journal, proxy, HAR file) and
 * reports nothing that they do not prove: they may begin in the middle of a conversation, be truncated or invalid. It has
 * either `check` or `start`.
 */
export interface Rule extends Partial<RuleDefect> {
  /** Family and name, `replies/code`. It never changes. */
  readonly id: string;
  /** The requirements that it checks. Findings quote the first. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
  /** Rules about services never receive responses that the network made or changed. */
  readonly side: Side;
  /** `advice` if the API does not oblige; never stricter than the requirement. */
  readonly level: Level;
  readonly title: string;
  /** `task`: one watcher per task. `stream`: one watcher for all exchanges. */
  readonly scope: 'task' | 'stream';
  /**
   * Evidence that its findings need because they conclude from an absence. With incomplete evidence the judge reports no
   * finding, and the check is inconclusive. A rule about the whole stream sets `gap` itself.
   */
  readonly needs?: readonly RequiredEvidence[];
  /** Parts of the API that it concerns, as `--lacks` names them: it does not apply to a client that lacks one. */
  readonly parts?: readonly Capability[];
  /** It compares times: it applies only if the clock of the exchanges runs at least as fast as the client's. */
  readonly timed?: true;
  /** Operations whose exchanges it receives. Default: all. */
  readonly only?: readonly OperationId[];
  /** For rules that depend only on the exchange and the earlier state of the task. */
  check?(exchange: ReadExchange, task: TaskConversation): RuleResult;
  /** For rules with state of their own. */
  start?(context: RuleContext): Watcher | ExchangeHandler;
}

/** A rule about clients describes its defect. For a service the requirement does. */
export type ClientRule = Rule & RuleDefect;
type SideRule<S extends Side> = S extends 'client' ? ClientRule : Rule;

type RuleDefinition = Pick<Rule, 'requirements' | 'title'> & Partial<Rule>;
type SideDefect<S extends Side> = S extends 'client' ? Pick<RuleDefect, 'defect'> : unknown;

/** `level` is `must` by default. */
export function defineRules<S extends Side>(
  side: S,
  scope: Rule['scope'],
  operations: readonly OperationId[] | 'all',
  rules: Readonly<Record<string, RuleDefinition & SideDefect<S>>>,
): readonly SideRule<S>[] {
  const only = operations === 'all' ? {} : { only: operations };
  return Object.entries(rules).map(
    ([id, rule]) => ({ side, scope, level: 'must', ...only, ...rule, id }) as unknown as SideRule<S>,
  );
}

type ItemRuleDefinition<T> = Omit<RuleDefinition, 'check' | 'start'> & {
  check(one: T, exchange: ReadExchange, task: TaskConversation): RuleResult;
};

/** Items of an exchange that rules check one by one, for example the events of a response. */
export interface RuleItems<T> {
  each(exchange: ReadExchange, task: TaskConversation): readonly T[];
  /** The subject of a finding about one item. */
  about?(one: T): string;
}

/** Rules whose `check` receives one item at a time. */
export function defineItemRules<S extends Side, T>(
  side: S,
  scope: Rule['scope'],
  operations: readonly OperationId[],
  { each, about }: RuleItems<T>,
  rules: Readonly<Record<string, ItemRuleDefinition<T> & SideDefect<S>>>,
): readonly SideRule<S>[] {
  const entries = Object.entries(rules).map(([id, { check, ...rule }]): [string, RuleDefinition] => {
    const checkAll: Rule['check'] = (exchange, task) => {
      let isKept = false;
      const findings: RuleFinding[] = [];
      for (const one of each(exchange, task)) {
        const result = check(one, exchange, task);
        if (result === 'kept') isKept = true;
        else if (result) findings.push(...toFindings(result, about?.(one)));
      }
      if (findings.length > 0) return findings;
      return isKept ? 'kept' : undefined;
    };
    return [id, { ...rule, check: checkAll }];
  });
  return defineRules(
    side,
    scope,
    operations,
    Object.fromEntries(entries) as Record<string, RuleDefinition & SideDefect<S>>,
  );
}

/** The findings of a result other than `kept`. `about` is the default subject. */
export function toFindings(result: NonNullable<RuleResult>, about?: string): readonly RuleFinding[] {
  return typeof result === 'string' ? [{ message: result, about }] : [result].flat();
}
