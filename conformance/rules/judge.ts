import { type OperationId, operations } from '../../spec/generated/operations.js';
import { type Exchange, type Finding, NO_OPERATION } from '../../spec/vocabulary.js';
import type { Gap } from '../conversation/gaps.js';
import { byEnd, ReadExchange } from '../conversation/read-exchange.js';
import { TaskConversation } from '../conversation/task-conversation.js';
import { type Complaint, complaintsIn, type Judgement, type Rule, type Watcher } from './rule.js';

/** A rule that may have been broken: what is not recorded decides. */
export interface OpenQuestion {
  rule: Rule;
  message: string;
  evidence: number[];
}

/** Findings kept: the first ones, which later ones mostly follow from. */
const MOST_FINDINGS = 1000;
/** Tasks that are remembered: beyond it, the one about which nothing came for longest is judged as it stands. */
const MOST_TASKS = 5000;
/** `seq`s kept as evidence of one finding, or as evidence that one rule was kept. */
const MOST_EVIDENCE = 20;

/** The rules of one side and scope. */
interface RuleGroup extends Pick<Rule, 'side' | 'scope'> {
  rules: readonly Rule[];
  /** Indexes of the rules that see exchanges of an operation; undefined stands for none. */
  byOperation: ReadonlyMap<OperationId | undefined, readonly number[]>;
}

/** By the list of the rules: grouping them takes longer than judging a short conversation. */
const groups = new WeakMap<readonly Rule[], readonly RuleGroup[]>();
const NO_TASK = new TaskConversation();
const ALL_OPERATIONS = [undefined, ...(Object.keys(operations) as OperationId[])];

function groupRules(all: readonly Rule[]): readonly RuleGroup[] {
  const known = groups.get(all);
  if (known) return known;
  const made = (['client', 'service'] as const).flatMap((side) =>
    (['stream', 'task'] as const).map((scope): RuleGroup => {
      const rules = all.filter((rule) => rule.scope === scope && rule.side === side);
      const indexesFor = (id: OperationId | undefined) =>
        rules.flatMap(({ only }, at) => (!only || (id && only.includes(id)) ? [at] : []));
      return { side, scope, rules, byOperation: new Map(ALL_OPERATIONS.map((id) => [id, indexesFor(id)])) };
    }),
  );
  const used = made.filter(({ rules }) => rules.length > 0);
  groups.set(all, used);
  return used;
}

/** The rules of a group at work on one task, or on the whole stream. */
interface RuleRun {
  group: RuleGroup;
  /** As the client or the service saw it. Empty for rules about the whole stream. */
  task: TaskConversation;
  /** By the index of the rule; undefined for rules that have a check. */
  watchers: readonly (Watcher | undefined)[];
}

/** The rules at work on one task of an organisation. */
interface JudgedTask {
  organisation: string;
  task: string;
  runs: readonly RuleRun[];
}

interface Verdict {
  found: Map<string, Finding>;
  /** By the id of the rule. */
  open: Map<string, OpenQuestion>;
}

/** What a complaint is about, as far as the complaint does not say. */
interface ComplaintContext {
  organisation: string;
  task?: string | undefined;
  /** Of the exchange, for rules about the whole stream. */
  operation?: OperationId | undefined;
}

/** The rules at work on exchanges that come one by one. What it remembers is bounded. */
export class Judge {
  readonly #stream: readonly RuleRun[];
  /** The one about which something came last stands last. */
  readonly #tasks = new Map<string, JudgedTask>();
  readonly #verdict: Verdict = { found: new Map(), open: new Map() };
  readonly #kept = new Map<string, number[]>();

  /** `onFinding` is called with each new finding that needs no further exchange. */
  constructor(
    private readonly rules: readonly Rule[],
    private readonly onFinding?: (finding: Finding) => void,
    private readonly mostTasks = MOST_TASKS,
  ) {
    this.#stream = this.#startRules('stream');
  }

  /** To be called when an exchange is over, also when its response was lost. Never throws, whatever the exchange holds. */
  see(given: Exchange | ReadExchange): void {
    const exchange = given instanceof ReadExchange ? given : new ReadExchange(given);
    const { organisation, kind } = exchange.exchange;
    // A mistyped address is not part of the protocol.
    if (kind === NO_OPERATION) return;
    const { task } = exchange;
    if (exchange.lacks('before')) this.#missExchanges(exchange);
    for (const run of this.#stream) this.#show(run, exchange, task);
    if (task !== undefined)
      for (const run of this.#runsOn(task, organisation)) this.#show(run, exchange, task);
    if (exchange.lacks('after')) this.#missExchanges(exchange);
  }

  /** All there is to say so far, in the order in which it was found; what holds only if nothing more comes is last. */
  findings(): Finding[] {
    return this.conclude().findings;
  }

  /** The same, and the rules that may have been broken, where what is not recorded decides: the first question of each. */
  conclude(): { findings: Finding[]; openQuestions: OpenQuestion[] } {
    const { found, open } = this.#atEnd();
    return { findings: [...found.values()], openQuestions: [...open.values()] };
  }

  /** `seq` of exchanges that showed rules to be kept, by the id of the rule. */
  kept(): Map<string, number[]> {
    this.findings();
    return new Map([...this.#kept].map(([rule, seqs]) => [rule, [...seqs]]));
  }

  /** Tasks by id as the client saw them; undefined if the exchanges are of several organisations. */
  clientTasks(): Map<string, TaskConversation> | undefined {
    const judged = [...this.#tasks.values()];
    if (judged.some(({ organisation }) => organisation !== judged[0]!.organisation)) return undefined;
    return new Map(
      judged.flatMap(({ task, runs }) => {
        const run = runs.find(({ group }) => group.side === 'client');
        return run ? [[task, run.task]] : [];
      }),
    );
  }

  /** Tasks as their clients saw them, of all organisations. */
  *tasksOfClients(): Generator<{ id: string; task: TaskConversation }> {
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
        const watcher = rule.start?.({ task, kept: (seq) => this.#keep(rule, seq) });
        return typeof watcher === 'function' ? { see: watcher } : watcher;
      });
      return { group, task, watchers };
    });
  }

  #runsOn(task: string, organisation: string): readonly RuleRun[] {
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
    for (const found of this.#addFinal(this.#verdict, oldest)) this.onFinding?.(found);
    this.#tasks.delete(key);
  }

  #missExchanges(exchange: ReadExchange): void {
    for (const { runs } of this.#tasks.values()) for (const { task } of runs) task.missExchanges(exchange);
  }

  #show(run: RuleRun, exchange: ReadExchange, task: string | undefined): void {
    const { group, task: before, watchers } = run;
    const shown = group.side === 'service' ? exchange.ofService : exchange;
    const judgements: { rule: Rule; judgement: NonNullable<Judgement> }[] = [];
    for (const at of group.byOperation.get(shown.operation?.id)!) {
      const rule = group.rules[at]!;
      const judgement = rule.check ? rule.check(shown, before) : watchers[at]?.see?.(shown);
      if (judgement !== undefined) judgements.push({ rule, judgement });
    }
    if (group.scope === 'task') before.see(shown);
    const { organisation } = exchange.exchange;
    const operation = group.scope === 'stream' ? exchange.operation?.id : undefined;
    const context = { organisation, task, operation };
    for (const { rule, judgement } of judgements) {
      if (judgement === 'kept') {
        this.#keep(rule, shown.seq);
        continue;
      }
      for (const complaint of complaintsIn(judgement)) {
        const whole = { evidence: [shown.seq], ...complaint };
        const found = this.#add(this.#verdict, run, rule, whole, context);
        if (found) this.onFinding?.(found);
      }
    }
  }

  /** What there is to say if nothing more comes. */
  #atEnd(): Verdict {
    const { found, open } = this.#verdict;
    const verdict: Verdict = { found: new Map(), open: new Map(open) };
    for (const [key, each] of found) verdict.found.set(key, { ...each, evidence: [...each.evidence] });
    const stream = { organisation: '', runs: this.#stream };
    for (const each of [stream, ...this.#tasks.values()]) this.#addFinal(verdict, each);
    return verdict;
  }

  /** Adds what there is to say if nothing more comes. Returns what is new. */
  #addFinal(verdict: Verdict, { runs, ...context }: Omit<JudgedTask, 'task'> & { task?: string }): Finding[] {
    return runs.flatMap((run) =>
      run.watchers.flatMap((watcher, at) => {
        const complaints = watcher?.end?.() ?? [];
        return complaints.flatMap(
          (each) => this.#add(verdict, run, run.group.rules[at]!, each, context) ?? [],
        );
      }),
    );
  }

  /** Adds a finding, which is returned when it is new, or a question where what is not recorded decides. */
  #add(
    { found, open }: Verdict,
    run: RuleRun,
    rule: Rule,
    complaint: Complaint,
    context: ComplaintContext,
  ): Finding | undefined {
    const gap = complaint.gap ?? (complaint.isShown ? undefined : this.#findGap(run, rule, context));
    if (!gap) return addComplaint(found, rule, complaint, context);
    const message = `It is not known: ${gap.why}. Otherwise: ${complaint.message}`;
    const evidence = [...new Set([...(complaint.evidence ?? []), gap.seq])].slice(-MOST_EVIDENCE);
    if (!open.has(rule.id)) open.set(rule.id, { rule, message, evidence });
    return undefined;
  }

  #findGap({ task: own }: RuleRun, { scope, needs }: Rule, context: ComplaintContext): Gap | undefined {
    if (scope === 'stream' || needs === undefined) return undefined;
    return own.findGap(needs) ?? this.#findOther(context);
  }

  /** A client with another key that uses the task without having created it. */
  #findOther({ organisation, task }: ComplaintContext): Gap | undefined {
    for (const { runs, ...other } of this.#tasks.values()) {
      if (other.task !== task || other.organisation === organisation) continue;
      const [{ task: its }] = runs as [RuleRun];
      if (!its.isFromStart && its.latest)
        return { why: `exchange ${its.latest.seq} is of another client of the task`, seq: its.latest.seq };
    }
    return undefined;
  }

  #keep({ id }: Rule, seq: number): void {
    const seqs = this.#kept.get(id);
    if (!seqs) this.#kept.set(id, [seq]);
    else if (seqs.length < MOST_EVIDENCE && !seqs.includes(seq)) seqs.push(seq);
  }
}

/** Complaints of a rule about the same thing make one finding, which is returned when it is new. */
function addComplaint(
  found: Map<string, Finding>,
  rule: Rule,
  complaint: Complaint,
  { organisation, operation, ...context }: ComplaintContext,
): Finding | undefined {
  const { message, event, evidence: given = [], task = context.task } = complaint;
  // Each exchange once, where it came last: the one that decides stays behind the others.
  const evidence = given.filter((seq, at) => !given.includes(seq, at + 1));
  const { id, requirements, side } = rule;
  const key = JSON.stringify([id, organisation, task, complaint.about ?? event ?? operation]);
  const known = found.get(key);
  if (known) {
    const fresh = evidence.filter((seq) => !known.evidence.includes(seq));
    known.evidence.push(...fresh.slice(0, MOST_EVIDENCE - known.evidence.length));
  } else if (found.size < MOST_FINDINGS) {
    const shown = evidence.slice(-MOST_EVIDENCE);
    const finding: Finding = {
      rule: id,
      requirement: requirements[0],
      side,
      level: complaint.level ?? rule.level,
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

/** A judge that was shown exchanges that are all there, in whatever order. Changes nothing in them. */
export function judgeExchanges(
  rules: readonly Rule[],
  exchanges: readonly (Exchange | ReadExchange)[],
): Judge {
  const judge = new Judge(rules);
  const read = exchanges.map((each) => (each instanceof ReadExchange ? each : new ReadExchange(each)));
  for (const exchange of read.sort(byEnd)) judge.see(exchange);
  return judge;
}
