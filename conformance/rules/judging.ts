import { type Exchange, type Finding, NO_OPERATION } from '../../spec/vocabulary.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import type { Complaint, Rule } from './rule.js';
import { listsOf, type RuleList, type Watch } from './rule-list.js';

/** Bounds of a judge. */
export interface JudgeLimits {
  /** Tasks watched at a time; the one that was quiet for longest goes, after it was asked for its last word. */
  tasks: number;
  /** Findings kept: the first ones, which later ones mostly follow from. */
  findings: number;
  /** So long after an answer has left, a client cannot have acted on it yet, ms. Default 0. */
  latency_ms: number;
}

const DEFAULT_LIMITS: JudgeLimits = { tasks: 1000, findings: 1000, latency_ms: 0 };

/** `seq`s kept as evidence of one finding. */
const MOST_EVIDENCE = 20;

const NONE: readonly Complaint[] = [];

interface Place {
  organisation: string;
  task: string | undefined;
}
type OfTask = { place: Place; watch: Watch };

/** The rules at work on exchanges that come one by one. Memory is bounded however long it goes on. */
export class Judge {
  readonly #ofTask: RuleList;
  readonly #stream: Watch;
  readonly #tasks = new Map<string, OfTask>();
  /** The one that was watched last: mostly it is the next one's too. */
  #last: OfTask | undefined;
  readonly #found = new Map<string, Finding>();
  readonly #held = new Map<string, number[]>();
  readonly #limits: JudgeLimits;

  constructor(rules: readonly Rule[], limits: Partial<JudgeLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    const { ofTask, ofStream } = listsOf(rules);
    this.#ofTask = ofTask;
    this.#stream = ofStream.begin();
  }

  /** To be called when an exchange is over, also when its answer was lost. Never throws, whatever the exchange holds. */
  see(exchange: Exchange): void {
    this.read(new ReadExchange(exchange, this.#limits.latency_ms));
  }

  /** The same with an exchange that was read already. */
  read(seen: ReadExchange): void {
    const { organisation, kind } = seen.exchange;
    // A mistyped address is no word of the protocol.
    if (kind === NO_OPERATION) return;
    const { task } = seen;
    this.#show(this.#stream, seen, { organisation, task });
    if (task === undefined) return;
    const { place, watch } = this.#watchOf(organisation, task);
    this.#show(watch, seen, place);
  }

  /** All there is to say so far, in the order in which it was found; what holds only if nothing more comes is last. */
  findings(): Finding[] {
    const found = new Map([...this.#found].map(([key, finding]) => [key, copy(finding)]));
    this.#lastWord(found, this.#stream, { organisation: '', task: undefined });
    for (const { place, watch } of this.#tasks.values()) this.#lastWord(found, watch, place);
    return [...found.values()];
  }

  /** `seq` of exchanges that showed rules to be kept, by the id of the rule. */
  held(): Map<string, number[]> {
    const all = new Map([...this.#held].map(([rule, seqs]) => [rule, [...seqs]]));
    collect(all, this.#stream);
    for (const { watch } of this.#tasks.values()) collect(all, watch);
    return all;
  }

  #show({ list, watchers, books }: Watch, seen: ReadExchange, place: Place): void {
    for (const at of list.concerning(seen.operation?.id)) {
      for (const complaint of watchers[at]!.see(seen))
        this.#add(this.#found, list.rules[at]!, complaint, place);
    }
    books.see(seen);
  }

  #watchOf(organisation: string, task: string): OfTask {
    const last = this.#last;
    if (last?.place.task === task && last.place.organisation === organisation) return last;
    const key = JSON.stringify([organisation, task]);
    const entry = this.#tasks.get(key) ?? { place: { organisation, task }, watch: this.#ofTask.begin() };
    // Taken out and put in again: the first of the map is the one that was quiet for longest.
    this.#tasks.delete(key);
    this.#tasks.set(key, entry);
    this.#last = entry;
    if (this.#tasks.size > this.#limits.tasks) this.#dropQuietest();
    return entry;
  }

  #dropQuietest(): void {
    const [key, { place, watch }] = this.#tasks.entries().next().value!;
    this.#tasks.delete(key);
    this.#last = undefined;
    this.#lastWord(this.#found, watch, place);
    collect(this.#held, watch);
  }

  #lastWord(found: Map<string, Finding>, { list, watchers }: Watch, place: Place): void {
    for (let at = 0; at < watchers.length; at++) {
      for (const complaint of watchers[at]!.end?.() ?? NONE)
        this.#add(found, list.rules[at]!, complaint, place);
    }
  }

  #add(found: Map<string, Finding>, rule: Rule, complaint: Complaint, place: Place): void {
    const task = complaint.task ?? place.task;
    const key = JSON.stringify([rule.id, place.organisation, task, complaint.about]);
    const known = found.get(key);
    if (known) {
      const fresh = once(complaint.evidence).filter((seq) => !known.evidence.includes(seq));
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
      evidence: once(complaint.evidence).slice(-MOST_EVIDENCE),
    };
    if (task !== undefined) finding.task = task;
    found.set(key, finding);
  }
}

/** A judge that was shown exchanges that are all there, in whatever order. Changes nothing in them. */
export function judgeBy(
  rules: readonly Rule[],
  exchanges: readonly Exchange[],
  limits: Partial<JudgeLimits> = {},
): Judge {
  const judging = new Judge(rules, { tasks: Number.POSITIVE_INFINITY, ...limits });
  for (const exchange of [...exchanges].sort(byEnd)) judging.see(exchange);
  return judging;
}

/** The same with exchanges that were read already, in the order in which they ended. */
export function judgeRead(rules: readonly Rule[], read: readonly ReadExchange[]): Judge {
  const judging = new Judge(rules, { tasks: Number.POSITIVE_INFINITY });
  for (const seen of read) judging.read(seen);
  return judging;
}

/** A journal lists exchanges as they began; what a client could know depends on how they ended. */
function byEnd(one: Exchange, other: Exchange): number {
  return endOf(one) - endOf(other) || one.seq - other.seq;
}

function endOf({ request, response }: Exchange): number {
  return response?.at ?? request.at;
}

function collect(all: Map<string, number[]>, { list, watchers }: Watch): void {
  for (const [at, { held }] of watchers.entries()) {
    if (!held?.length) continue;
    const { id } = list.rules[at]!;
    all.set(id, [...new Set([...(all.get(id) ?? []), ...held])].slice(0, MOST_EVIDENCE));
  }
}

/** Each exchange once, where it came last: the one that decides stays behind the others. */
function once(evidence: readonly number[]): number[] {
  return evidence.filter((seq, at) => !evidence.includes(seq, at + 1));
}

function copy(finding: Finding): Finding {
  return { ...finding, evidence: [...finding.evidence] };
}
