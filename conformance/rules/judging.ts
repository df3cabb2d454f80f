import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { SeenExchange } from './read.js';
import type { Complaint, Rule, Watcher } from './rule.js';

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

type Watched = { rule: Rule; watcher: Watcher }[];
type Place = { organisation: string; task?: string };
type OfTask = { place: Place; watched: Watched };

/** The rules at work on exchanges that come one by one. Memory is bounded however long it goes on. */
export class Judge {
  readonly #ofTask: readonly Rule[];
  readonly #stream: Watched;
  readonly #tasks = new Map<string, OfTask>();
  /** The one that was watched last: mostly it is the next one's too. */
  #last: OfTask | undefined;
  readonly #found = new Map<string, Finding>();
  readonly #held = new Map<string, number[]>();
  readonly #limits: JudgeLimits;

  constructor(rules: readonly Rule[], limits: Partial<JudgeLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    const { ofTask, ofStream } = byScope(rules);
    this.#ofTask = ofTask;
    this.#stream = begin(ofStream);
  }

  /** To be called when an exchange is over, also when its answer was lost. Never throws, whatever the exchange holds. */
  see(exchange: Exchange): void {
    this.read(new SeenExchange(exchange, this.#limits.latency_ms));
  }

  /** The same with an exchange that was read already. */
  read(seen: SeenExchange): void {
    const { exchange } = seen;
    const place: Place = { organisation: exchange.organisation };
    if (seen.task !== undefined) place.task = seen.task;
    this.#show(this.#stream, seen, place);
    if (place.task !== undefined) this.#show(this.#watchedOf(place.organisation, place.task), seen, place);
  }

  /** All there is to say so far, in the order in which it was found; what holds only if nothing more comes is last. */
  findings(): Finding[] {
    const found = new Map([...this.#found].map(([key, finding]) => [key, copy(finding)]));
    for (const { rule, watcher } of this.#stream) {
      for (const complaint of watcher.end?.() ?? []) this.#add(found, rule, complaint, { organisation: '' });
    }
    for (const { place, watched } of this.#tasks.values()) this.#lastWord(found, place, watched);
    return [...found.values()];
  }

  /** `seq` of exchanges that showed rules to be kept, by the id of the rule. */
  held(): Map<string, number[]> {
    const all = new Map([...this.#held].map(([rule, seqs]) => [rule, [...seqs]]));
    for (const watched of [this.#stream, ...[...this.#tasks.values()].map((each) => each.watched)])
      collect(all, watched);
    return all;
  }

  #show(watched: Watched, seen: SeenExchange, place: Place): void {
    const operation = seen.operation?.id;
    for (const { rule, watcher } of watched) {
      if (rule.only && (operation === undefined || !rule.only.includes(operation))) continue;
      for (const complaint of watcher.see(seen)) this.#add(this.#found, rule, complaint, place);
    }
  }

  #watchedOf(organisation: string, task: string): Watched {
    const last = this.#last;
    if (last?.place.task === task && last.place.organisation === organisation) return last.watched;
    const key = JSON.stringify([organisation, task]);
    const entry = this.#tasks.get(key) ?? { place: { organisation, task }, watched: begin(this.#ofTask) };
    // Taken out and put in again: the first of the map is the one that was quiet for longest.
    this.#tasks.delete(key);
    this.#tasks.set(key, entry);
    this.#last = entry;
    if (this.#tasks.size > this.#limits.tasks) this.#dropQuietest();
    return entry.watched;
  }

  #dropQuietest(): void {
    const [key, { place, watched }] = this.#tasks.entries().next().value!;
    this.#tasks.delete(key);
    this.#last = undefined;
    this.#lastWord(this.#found, place, watched);
    collect(this.#held, watched);
  }

  #lastWord(found: Map<string, Finding>, place: Place, watched: Watched): void {
    for (const { rule, watcher } of watched) {
      for (const complaint of watcher.end?.() ?? []) this.#add(found, rule, complaint, place);
    }
  }

  #add(found: Map<string, Finding>, rule: Rule, complaint: Complaint, place: Place): void {
    const task = complaint.task ?? place.task;
    const key = JSON.stringify([rule.id, place.organisation, task, complaint.about]);
    const known = found.get(key);
    if (known) {
      const fresh = complaint.evidence.filter((seq) => !known.evidence.includes(seq));
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
      evidence: complaint.evidence.slice(-MOST_EVIDENCE),
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

/** The same with exchanges that were read already. */
export function judgeRead(rules: readonly Rule[], read: readonly SeenExchange[]): Judge {
  const judging = new Judge(rules, { tasks: Number.POSITIVE_INFINITY });
  for (const seen of [...read].sort((one, other) => byEnd(one.exchange, other.exchange))) judging.read(seen);
  return judging;
}

/** A journal lists exchanges as they began; what a client could know depends on how they ended. */
function byEnd(one: Exchange, other: Exchange): number {
  return endOf(one) - endOf(other) || one.seq - other.seq;
}

function endOf({ request, response }: Exchange): number {
  return response?.at ?? request.at;
}

/** What a list of rules comes to is found out once: judges are made by the thousand. */
const scopes = new WeakMap<readonly Rule[], { ofTask: Rule[]; ofStream: Rule[] }>();

function byScope(rules: readonly Rule[]): { ofTask: Rule[]; ofStream: Rule[] } {
  let found = scopes.get(rules);
  if (!found) {
    found = {
      ofTask: rules.filter(({ scope }) => scope === 'task'),
      ofStream: rules.filter(({ scope }) => scope === 'stream'),
    };
    scopes.set(rules, found);
  }
  return found;
}

function begin(rules: readonly Rule[]): Watched {
  return rules.map((rule) => ({ rule, watcher: rule.start() }));
}

function collect(all: Map<string, number[]>, watched: Watched): void {
  for (const { rule, watcher } of watched) {
    if (!watcher.held?.length) continue;
    const seqs = all.get(rule.id) ?? [];
    seqs.push(...watcher.held.slice(0, MOST_EVIDENCE - seqs.length));
    all.set(rule.id, seqs);
  }
}

function copy(finding: Finding): Finding {
  return { ...finding, evidence: [...finding.evidence] };
}
