import { type OperationId, operations } from '../../spec/generated/operations.js';
import { type Exchange, type Finding, NO_OPERATION } from '../../spec/vocabulary.js';
import type { Gap } from '../conversation/gaps.js';
import { compareByEnd, ReadExchange } from '../conversation/read-exchange.js';
import { TaskConversation } from '../conversation/task-conversation.js';
import { type Rule, type RuleFinding, type RuleResult, toFindings, type Watcher } from './rule.js';

/** A rule that may have been violated: the recording lacks the part that decides. */
interface OpenQuestion {
  rule: Rule;
  message: string;
  evidence: number[];
}

/** Most findings kept. The first are kept, since later ones mostly follow from them. */
const MOST_FINDINGS = 1000;
/** Most tasks remembered. Beyond the limit, the task with the oldest last exchange is concluded. */
const MOST_TASKS = 5000;
/** Most `seq`s kept as evidence of one finding, or that one rule was kept. */
const MOST_EVIDENCE = 20;

interface RuleGroup extends Pick<Rule, 'side' | 'scope'> {
  rules: readonly Rule[];
  /** Indexes of the rules that receive exchanges of an operation; undefined: exchanges without one. */
  byOperation: ReadonlyMap<OperationId | undefined, readonly number[]>;
}

/** Cache by rule list: grouping takes longer than judging a short conversation. */
const groups = new WeakMap<readonly Rule[], readonly RuleGroup[]>();
const NO_TASK = new TaskConversation();
const ALL_OPERATIONS = [undefined, ...(Object.keys(operations) as OperationId[])];

function groupRules(all: readonly Rule[]): readonly RuleGroup[] {
  const known = groups.get(all);
  if (known) return known;
  const created = (['client', 'service'] as const).flatMap((side) =>
    (['stream', 'task'] as const).map((scope): RuleGroup => {
      const rules = all.filter((rule) => rule.scope === scope && rule.side === side);
      const listIndexes = (id: OperationId | undefined) =>
        rules.flatMap(({ only }, at) => (!only || (id && only.includes(id)) ? [at] : []));
      return { side, scope, rules, byOperation: new Map(ALL_OPERATIONS.map((id) => [id, listIndexes(id)])) };
    }),
  );
  const used = created.filter(({ rules }) => rules.length > 0);
  groups.set(all, used);
  return used;
}

/** Watchers of a group for one task, or for the whole stream. */
interface RuleRun {
  group: RuleGroup;
  /** As seen by the client or the service. Empty for rules about the whole stream. */
  task: TaskConversation;
  /** By the index of the rule; undefined for rules that have a check. */
  watchers: readonly (Watcher | undefined)[];
}

interface JudgedTask {
  organisation: string;
  task: string;
  runs: readonly RuleRun[];
}

interface JudgeResult {
  found: Map<string, Finding>;
  /** By the id of the rule. */
  open: Map<string, OpenQuestion>;
}

/** The subject of a finding, as far as the finding does not name it. */
interface FindingContext {
  organisation: string;
  task?: string | undefined;
  /** Of the exchange, for rules about the whole stream. */
  operation?: OperationId | undefined;
}

/** Applies rules to exchanges one by one. Memory is bounded. */
export class Judge {
  readonly #stream: readonly RuleRun[];
  /** The task of the latest exchange is last. */
  readonly #tasks = new Map<string, JudgedTask>();
  readonly #result: JudgeResult = { found: new Map(), open: new Map() };
  readonly #kept = new Map<string, number[]>();

  /** `onFinding` is called with each new finding that needs no further exchange. */
  constructor(
    private readonly rules: readonly Rule[],
    private readonly onFinding?: (finding: Finding) => void,
    private readonly mostTasks = MOST_TASKS,
  ) {
    this.#stream = this.#startRules('stream');
  }

  /** Call it when an exchange has ended, also if its response was lost. Never throws, whatever the exchange contains. */
  observe(given: Exchange | ReadExchange): void {
    const exchange = given instanceof ReadExchange ? given : new ReadExchange(given);
    const { organisation, kind } = exchange.exchange;
    // A request outside the API is not part of the protocol.
    if (kind === NO_OPERATION) return;
    const { task } = exchange;
    if (exchange.isUnrecorded('before')) this.#addMissingExchanges(exchange);
    for (const run of this.#stream) this.#applyRules(run, exchange, task);
    if (task !== undefined)
      for (const run of this.#ensureRuns(task, organisation)) this.#applyRules(run, exchange, task);
    if (exchange.isUnrecorded('after')) this.#addMissingExchanges(exchange);
  }

  /** All findings so far, in order. Those that hold only if no further exchange follows come last. */
  findings(): Finding[] {
    return this.conclude().findings;
  }

  /** Also returns the first open question of each rule. */
  conclude(): { findings: Finding[]; openQuestions: OpenQuestion[] } {
    const { found, open } = this.#concludeAll();
    return { findings: [...found.values()], openQuestions: [...open.values()] };
  }

  /** `seq` of exchanges that show that a rule was kept, by the id of the rule. */
  collectKeptRules(): Map<string, number[]> {
    this.findings();
    return new Map([...this.#kept].map(([rule, seqs]) => [rule, [...seqs]]));
  }

  /** Tasks by id as the client saw them; undefined if the exchanges belong to several organisations. */
  collectClientTasks(): Map<string, TaskConversation> | undefined {
    const judged = [...this.#tasks.values()];
    if (judged.some(({ organisation }) => organisation !== judged[0]!.organisation)) return undefined;
    return new Map(
      judged.flatMap(({ task, runs }) => {
        const run = runs.find(({ group }) => group.side === 'client');
        return run ? [[task, run.task]] : [];
      }),
    );
  }

  *iterateClientTasks(): Generator<{ id: string; task: TaskConversation }> {
    for (const { task: id, runs } of this.#tasks.values()) {
      const run = runs.find(({ group }) => group.side === 'client');
      if (run) yield { id, task: run.task };
    }
  }

  #startRules(scope: Rule['scope']): RuleRun[] {
    const some = groupRules(this.rules).filter((group) => group.scope === scope);
    return some.map((group) => {
      const task = scope === 'task' ? new TaskConversation() : NO_TASK;
      const watchers = group.rules.map((rule) => {
        const watcher = rule.start?.({ task, reportKept: (seq) => this.#recordKept(rule, seq) });
        return typeof watcher === 'function' ? { observe: watcher } : watcher;
      });
      return { group, task, watchers };
    });
  }

  #ensureRuns(task: string, organisation: string): readonly RuleRun[] {
    const key = `${organisation}\n${task}`;
    const known = this.#tasks.get(key);
    const judged = known ?? { organisation, task, runs: this.#startRules('task') };
    if (known) this.#tasks.delete(key);
    this.#tasks.set(key, judged);
    if (this.#tasks.size > this.mostTasks) this.#forgetOldest();
    return judged.runs;
  }

  #forgetOldest(): void {
    const [key, oldest] = this.#tasks.entries().next().value!;
    for (const found of this.#addFinalFindings(this.#result, oldest)) this.onFinding?.(found);
    this.#tasks.delete(key);
  }

  #addMissingExchanges(exchange: ReadExchange): void {
    for (const { runs } of this.#tasks.values())
      for (const { task } of runs) task.addMissingExchanges(exchange);
  }

  #applyRules(run: RuleRun, exchange: ReadExchange, task: string | undefined): void {
    const { group, task: before, watchers } = run;
    const shown = group.side === 'service' ? exchange.ofService : exchange;
    const results: { rule: Rule; result: NonNullable<RuleResult> }[] = [];
    for (const at of group.byOperation.get(shown.operation?.id)!) {
      const rule = group.rules[at]!;
      const result = rule.check ? rule.check(shown, before) : watchers[at]?.observe?.(shown);
      if (result !== undefined) results.push({ rule, result });
    }
    if (group.scope === 'task') before.observe(shown);
    if (results.length === 0) return;
    const { organisation } = exchange.exchange;
    const operation = group.scope === 'stream' ? exchange.operation?.id : undefined;
    const context = { organisation, task, operation };
    for (const { rule, result } of results) {
      if (result === 'kept') {
        this.#recordKept(rule, shown.seq);
        continue;
      }
      for (const draft of toFindings(result)) {
        const whole = { evidence: [shown.seq], ...draft };
        const found = this.#addFinding(this.#result, run, rule, whole, context);
        if (found) this.onFinding?.(found);
      }
    }
  }

  #concludeAll(): JudgeResult {
    const { found, open } = this.#result;
    const verdict: JudgeResult = { found: new Map(), open: new Map(open) };
    for (const [key, each] of found) verdict.found.set(key, { ...each, evidence: [...each.evidence] });
    const stream = { organisation: '', runs: this.#stream };
    for (const each of [stream, ...this.#tasks.values()]) this.#addFinalFindings(verdict, each);
    return verdict;
  }

  /** Adds the findings that hold if no further exchange follows. Returns the new ones. */
  #addFinalFindings(
    verdict: JudgeResult,
    { runs, ...context }: Omit<JudgedTask, 'task'> & { task?: string },
  ): Finding[] {
    const added: Finding[] = [];
    for (const run of runs) {
      for (const [at, watcher] of run.watchers.entries()) {
        for (const draft of watcher?.conclude?.() ?? []) {
          const found = this.#addFinding(verdict, run, run.group.rules[at]!, draft, context);
          if (found) added.push(found);
        }
      }
    }
    return added;
  }

  /** Adds a finding and returns it if it is new; adds an open question if evidence is missing. */
  #addFinding(
    { found, open }: JudgeResult,
    run: RuleRun,
    rule: Rule,
    draft: RuleFinding,
    context: FindingContext,
  ): Finding | undefined {
    const gap = draft.gap ?? (draft.isShown ? undefined : this.#findGap(run, rule, context));
    if (!gap) return mergeFinding(found, rule, draft, context);
    const message = `It is not known: ${gap.why}. Otherwise: ${draft.message}`;
    const evidence = [...new Set([...(draft.evidence ?? []), gap.seq])].slice(-MOST_EVIDENCE);
    if (!open.has(rule.id)) open.set(rule.id, { rule, message, evidence });
    return undefined;
  }

  #findGap({ task: own }: RuleRun, { scope, needs }: Rule, context: FindingContext): Gap | undefined {
    if (scope === 'stream' || needs === undefined) return undefined;
    return own.findGap(needs) ?? this.#findOtherClient(context);
  }

  /** Finds a client with another key that uses the task but did not create it. */
  #findOtherClient({ organisation, task }: FindingContext): Gap | undefined {
    for (const { runs, ...other } of this.#tasks.values()) {
      if (other.task !== task || other.organisation === organisation) continue;
      const [{ task: seen }] = runs as [RuleRun];
      if (!seen.isFromStart && seen.latest)
        return { why: `exchange ${seen.latest.seq} is of another client of the task`, seq: seen.latest.seq };
    }
    return undefined;
  }

  #recordKept({ id }: Rule, seq: number): void {
    const seqs = this.#kept.get(id);
    if (!seqs) this.#kept.set(id, [seq]);
    else if (seqs.length < MOST_EVIDENCE && !seqs.includes(seq)) seqs.push(seq);
  }
}

/** Merges findings of a rule about the same subject. Returns the finding if it is new. */
function mergeFinding(
  found: Map<string, Finding>,
  rule: Rule,
  draft: RuleFinding,
  { organisation, operation, ...context }: FindingContext,
): Finding | undefined {
  const { message, event, evidence: given = [], task = context.task } = draft;
  // Each exchange once, at its last position: the exchange that decides comes last.
  const evidence = given.filter((seq, at) => !given.includes(seq, at + 1));
  const { id, requirements, side } = rule;
  const key = JSON.stringify([id, organisation, task, draft.about ?? event ?? operation]);
  const known = found.get(key);
  if (known) {
    const fresh = evidence.filter((seq) => !known.evidence.includes(seq));
    known.evidence.push(...fresh.slice(0, MOST_EVIDENCE - known.evidence.length));
    if (draft.isUpdate) known.message = message;
  } else if (found.size < MOST_FINDINGS) {
    const shown = evidence.slice(-MOST_EVIDENCE);
    const finding: Finding = {
      rule: id,
      requirement: requirements[0],
      side,
      level: draft.level ?? rule.level,
      message,
      evidence: shown,
    };
    if (task !== undefined) finding.task = task;
    if (event !== undefined) finding.event = event;
    found.set(key, finding);
    return finding;
  }
  return undefined;
}

/** Judges a complete list of exchanges, in any order, without changing them. */
export function judgeExchanges(
  rules: readonly Rule[],
  exchanges: readonly (Exchange | ReadExchange)[],
): Judge {
  const judge = new Judge(rules);
  const read = exchanges.map((each) => (each instanceof ReadExchange ? each : new ReadExchange(each)));
  for (const exchange of read.sort(compareByEnd)) judge.observe(exchange);
  return judge;
}
