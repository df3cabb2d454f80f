import { type Exchange, type Finding, NO_OPERATION } from '../../spec/vocabulary.js';
import { byEnd, ReadExchange } from '../conversation/read-exchange.js';
import type { Complaint, Rule } from './rule.js';
import { listsOf, type RuleList, RuleRun } from './rule-list.js';

/** Bounds of a judge. */
export interface JudgeLimits {
  /** Tasks watched at a time; the one that was quiet for longest is dropped, its findings are kept. */
  tasks: number;
  /** Findings kept: the first ones, which later ones mostly follow from. */
  findings: number;
  /** So long after a response has left, a client cannot have acted on it yet, ms. Default 0. */
  latencyMs: number;
}

const DEFAULT_LIMITS: JudgeLimits = { tasks: 1000, findings: 1000, latencyMs: 0 };

/** `seq`s kept as evidence of one finding. */
const MOST_EVIDENCE = 20;

/** A task, or the whole stream of an organisation where `task` is undefined. */
interface JudgedPlace {
  organisation: string;
  task: string | undefined;
}
type OfTask = { place: JudgedPlace; runs: readonly RuleRun[] };

/** The rules at work on exchanges that come one by one. Memory is bounded however long it goes on. */
export class Judge {
  readonly #rulesOfTask: readonly RuleList[];
  readonly #stream: readonly RuleRun[];
  readonly #tasks = new Map<string, OfTask>();
  /** The one that was watched last: mostly it is the next one's too. */
  #last: OfTask | undefined;
  readonly #found = new Map<string, Finding>();
  readonly #kept = new Map<string, number[]>();
  readonly #limits: JudgeLimits;

  constructor(rules: readonly Rule[], limits: Partial<JudgeLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    const { ofTask, ofStream } = listsOf(rules);
    this.#rulesOfTask = ofTask;
    this.#stream = ofStream.map((list) => new RuleRun(list));
  }

  /** To be called when an exchange is over, also when its response was lost. Never throws, whatever the exchange holds. */
  see(exchange: Exchange): void {
    this.read(new ReadExchange(exchange, this.#limits.latencyMs));
  }

  /** The same with an exchange that was read already. */
  read(exchange: ReadExchange): void {
    const { organisation, kind } = exchange.exchange;
    // A mistyped address is not part of the protocol.
    if (kind === NO_OPERATION) return;
    const { task } = exchange;
    this.#show(this.#stream, exchange, { organisation, task });
    if (task === undefined) return;
    const { place, runs } = this.#taskOf(organisation, task);
    this.#show(runs, exchange, place);
  }

  /** All there is to say so far, in the order in which it was found; what holds only if nothing more comes is last. */
  findings(): Finding[] {
    const found = new Map([...this.#found].map(([key, finding]) => [key, copy(finding)]));
    this.#end(found, this.#stream, { organisation: '', task: undefined });
    for (const { place, runs } of this.#tasks.values()) this.#end(found, runs, place);
    return [...found.values()];
  }

  /** `seq` of exchanges that showed rules to be kept, by the id of the rule. */
  kept(): Map<string, number[]> {
    const all = new Map([...this.#kept].map(([rule, seqs]) => [rule, [...seqs]]));
    collect(all, this.#stream);
    for (const { runs } of this.#tasks.values()) collect(all, runs);
    return all;
  }

  #show(runs: readonly RuleRun[], exchange: ReadExchange, place: JudgedPlace): void {
    for (const run of runs)
      run.see(exchange, (rule, complaint, evidence) =>
        this.#add(this.#found, rule, complaint, evidence, place),
      );
  }

  #taskOf(organisation: string, task: string): OfTask {
    const last = this.#last;
    if (last?.place.task === task && last.place.organisation === organisation) return last;
    const key = JSON.stringify([organisation, task]);
    const entry = this.#tasks.get(key) ?? {
      place: { organisation, task },
      runs: this.#rulesOfTask.map((list) => new RuleRun(list)),
    };
    // Removed and added again: the first of the map is the one that was quiet for longest.
    this.#tasks.delete(key);
    this.#tasks.set(key, entry);
    this.#last = entry;
    if (this.#tasks.size > this.#limits.tasks) this.#dropQuietest();
    return entry;
  }

  #dropQuietest(): void {
    const [key, { place, runs }] = this.#tasks.entries().next().value!;
    this.#tasks.delete(key);
    this.#last = undefined;
    this.#end(this.#found, runs, place);
    collect(this.#kept, runs);
  }

  #end(found: Map<string, Finding>, runs: readonly RuleRun[], place: JudgedPlace): void {
    for (const run of runs)
      run.end((rule, complaint, evidence) => this.#add(found, rule, complaint, evidence, place));
  }

  #add(
    found: Map<string, Finding>,
    rule: Rule,
    complaint: Complaint,
    evidence: readonly number[],
    place: JudgedPlace,
  ): void {
    const task = complaint.task ?? place.task;
    const key = JSON.stringify([rule.id, place.organisation, task, complaint.about ?? complaint.event]);
    const known = found.get(key);
    if (known) {
      const fresh = once(evidence).filter((seq) => !known.evidence.includes(seq));
      known.evidence.push(...fresh.slice(0, MOST_EVIDENCE - known.evidence.length));
      return;
    }
    if (found.size >= this.#limits.findings) return;
    const { id, requirements, side, level } = rule;
    const finding: Finding = {
      rule: id,
      requirement: requirements[0],
      side,
      level,
      message: complaint.message,
      evidence: once(evidence).slice(-MOST_EVIDENCE),
    };
    if (task !== undefined) finding.task = task;
    if (complaint.event !== undefined) finding.event = complaint.event;
    found.set(key, finding);
  }
}

/** A judge that was shown exchanges that are all there, in whatever order. Changes nothing in them. */
export function judgeExchanges(
  rules: readonly Rule[],
  exchanges: readonly Exchange[],
  { latencyMs, ...limits }: Partial<JudgeLimits> = {},
): Judge {
  const read = exchanges.map((exchange) => new ReadExchange(exchange, latencyMs));
  return judgeReadExchanges(rules, read.sort(byEnd), limits);
}

/** The same with exchanges that were read already, in the order in which they ended. */
export function judgeReadExchanges(
  rules: readonly Rule[],
  exchanges: readonly ReadExchange[],
  limits: Partial<JudgeLimits> = {},
): Judge {
  const judge = new Judge(rules, { tasks: Number.POSITIVE_INFINITY, ...limits });
  for (const exchange of exchanges) judge.read(exchange);
  return judge;
}

function collect(all: Map<string, number[]>, runs: readonly RuleRun[]): void {
  for (const run of runs) {
    for (const [rule, seqs] of run.kept())
      all.set(rule, [...new Set([...(all.get(rule) ?? []), ...seqs])].slice(0, MOST_EVIDENCE));
  }
}

/** Each exchange once, where it came last: the one that decides stays behind the others. */
function once(evidence: readonly number[]): number[] {
  return evidence.filter((seq, at) => !evidence.includes(seq, at + 1));
}

function copy(finding: Finding): Finding {
  return { ...finding, evidence: [...finding.evidence] };
}
