import type { Capability } from '../../scenarios/format/needs.js';
import type { RequirementId } from '../../spec/generated/documents.js';
import type { OperationId } from '../../spec/generated/operations.js';
import type { Level, Severity, Side } from '../../spec/requirement-types.js';
import type { Gap, RequiredEvidence } from '../conversation/gaps.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import type { TaskConversation } from '../conversation/task-conversation.js';

/** Something wrong, as a rule sees it. */
export interface RuleFinding {
  /** Where, what was expected, what came, what to do. */
  message: string;
  /** `seq` of the exchanges that show it, the one that decides it last. Left out: the exchange that the rule was shown. */
  evidence?: number[];
  /** Where the rule knows it better than the exchange. */
  task?: string;
  /**
   * What it is about, a call for example: complaints of a rule about the same thing in a task make one finding. Left out by
   * a rule about the whole stream: the operation.
   */
  about?: string;
  /** Id of the call or action that it is about. */
  event?: string;
  /** The exchanges show it by themselves, also where the rule has `needs`. */
  isShown?: true;
  /** That of the rule, unless what is shown may be permitted. */
  level?: 'advice';
  /** Of a rule about the whole stream: why it is not known whether this is so. */
  gap?: Gap | undefined;
}

/**
 * What an exchange shows of a rule. `kept`: it would have shown a breach, and showed that the rule was kept. A check of a
 * service passes on these alone: a rule that stayed silent has shown nothing. Any other text is the message of a complaint.
 */
export type RuleResult = 'kept' | (string & {}) | RuleFinding | readonly RuleFinding[] | undefined;

/** Is shown the exchanges in the order in which they ended, so that what the client knew comes before what it did. */
export type ExchangeHandler = (exchange: ReadExchange) => RuleResult;

/** A rule at work on one task, or on one stream of exchanges. */
export interface Watcher {
  observe?: ExchangeHandler;
  /** What there is to say if nothing more comes. Changes nothing: it may be called at any time. */
  conclude?(): readonly RuleFinding[];
}

/** What a rule is given to work with. */
export interface RuleContext {
  /** What was before the exchange that the rule is shown. Empty for rules about the whole stream. */
  task: TaskConversation;
  /** Reports another exchange than the shown one as evidence that the rule was kept; to be called in `end` too. */
  reportKept(seq: number): void;
}

/** What the grouping of failures into causes needs to know of a rule. */
export interface RuleDefect {
  /** The defect as a sentence in the past tense, without its full stop: `A call was replied to twice`. */
  readonly defect: string;
  /** The same of findings that quote another requirement than the first: they are another defect. */
  readonly defects?: Readonly<Partial<Record<RequirementId, string>>>;
  /**
   * Rules whose breach leads to a breach of this one, the likeliest first: broken in the same run, they explain it. `*`: whatever
   * goes wrong in a run leads to it, and it leads to nothing itself.
   */
  readonly consequenceOf?: readonly string[];
  /**
   * `form`: how any request is written; it says nothing about which are sent. `field`: one field of an event; two of them are
   * two defects, also in one request. `request`: which request is sent. A rule of the three is broken with a disturbance as
   * without one.
   */
  readonly concerns?: 'form' | 'field' | 'request';
  /** What a client that gives up, at whatever, leaves undone, or reports. */
  readonly onGivingUp?: 'left undone' | 'reported';
  /** A client that does not have what the job asks for breaks it too. */
  readonly onLack?: true;
  /** A client that never gets an event breaks it too. */
  readonly followsFromLostEvent?: true;
  /** `state` unless given. */
  readonly severity?: Severity;
}

/**
 * A rule of the protocol as an automaton over exchanges. It knows nothing of where they came from, a journal, a proxy
 * or a HAR file, and stays silent where the exchanges do not prove anything: they may begin in the middle of a
 * conversation, be cut, or hold nonsense. It has either `check` or `start`.
 */
export interface Rule extends Partial<RuleDefect> {
  /** Family and name, `replies/code`: stable for good. */
  readonly id: string;
  /** The requirements it holds. Findings quote the first. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
  /** A rule about services is shown no responses that the network made or changed. */
  readonly side: Side;
  /** `advice` wherever the API does not oblige; never heavier than the requirement. */
  readonly level: Level;
  /** What it asks for, in one sentence. */
  readonly title: string;
  /** `task`: a watcher for each task sees the exchanges about it. `stream`: one watcher sees all. */
  readonly scope: 'task' | 'stream';
  /**
   * What has to be known for its complaints, since they conclude from an absence. The judge asks the conversation: what is not
   * certain is no finding, and the check is inconclusive. A rule about the whole stream gives the `gap` itself.
   */
  readonly needs?: readonly RequiredEvidence[];
  /** What of the API it is about, as `--lacks` names it: of a client that lacks one of these it says nothing. */
  readonly parts?: readonly Capability[];
  /** It compares times, and is of use only where the clock of the exchanges runs at least as fast as the client's. */
  readonly timed?: true;
  /** It is shown exchanges of these operations alone; all when left out. */
  readonly only?: readonly OperationId[];
  /** For rules that need nothing but the exchange, and the task as it was before. */
  check?(exchange: ReadExchange, task: TaskConversation): RuleResult;
  /** For rules that remember something of their own. */
  start?(context: RuleContext): Watcher | ExchangeHandler;
}

/** A rule about clients: each has a sentence for its defect. Of a service the requirement is one. */
export type ClientRule = Rule & RuleDefect;
type SideRule<S extends Side> = S extends 'client' ? ClientRule : Rule;

type RuleDefinition = Pick<Rule, 'requirements' | 'title'> & Partial<Rule>;
type SideDefect<S extends Side> = S extends 'client' ? Pick<RuleDefect, 'defect'> : unknown;

/** Rules by id about exchanges of some operations; each is a `must` unless it says otherwise. */
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

/** Things in an exchange that rules look at one by one: the events of a response, for example. */
export interface RuleItems<T> {
  each(exchange: ReadExchange, task: TaskConversation): readonly T[];
  /** What a message about one of them is about. */
  about?(one: T): string;
}

/** The same for rules about each thing of a kind. */
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

/** The complaints of a judgement other than `kept`; `about` is what a message is about. */
export function toFindings(result: NonNullable<RuleResult>, about?: string): readonly RuleFinding[] {
  return typeof result === 'string' ? [{ message: result, about }] : [result].flat();
}
