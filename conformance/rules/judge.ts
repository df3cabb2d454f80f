import { type Exchange, type Finding, NO_OPERATION } from '../../spec/vocabulary.js';
import { byEnd, ReadExchange } from '../conversation/read-exchange.js';
import type { TaskConversation } from '../conversation/task-conversation.js';
import type { Rule } from './rule.js';
import { groupsOf, type RuleComplaint, RuleRun } from './rule-run.js';

/** Findings kept: the first ones, which later ones mostly follow from. */
const MOST_FINDINGS = 1000;
/** `seq`s kept as evidence of one finding, or as evidence that one rule was kept. */
const MOST_EVIDENCE = 20;

/** The rules at work on one task, or on the whole stream. */
interface JudgedPlace {
  organisation: string;
  task?: string | undefined;
  runs: readonly RuleRun[];
}

/** The rules at work on exchanges that come one by one. What it remembers of one task, and of the stream, is bounded. */
export class Judge {
  readonly #stream: JudgedPlace;
  readonly #tasks = new Map<string, JudgedPlace>();
  readonly #found = new Map<string, Finding>();
  readonly #kept = new Map<string, number[]>();

  constructor(private readonly rules: readonly Rule[]) {
    this.#stream = { organisation: '', runs: this.#runs('stream') };
  }

  /** To be called when an exchange is over, also when its response was lost. Never throws, whatever the exchange holds. */
  see(exchange: Exchange): void {
    this.read(new ReadExchange(exchange));
  }

  /** The same with an exchange that was read already. */
  read(exchange: ReadExchange): void {
    const { organisation, kind } = exchange.exchange;
    // A mistyped address is not part of the protocol.
    if (kind === NO_OPERATION) return;
    const { task } = exchange;
    this.#see({ ...this.#stream, organisation, task }, exchange);
    if (task !== undefined) this.#see(this.#placeOf(organisation, task), exchange);
  }

  #see(place: JudgedPlace, exchange: ReadExchange): void {
    for (const run of place.runs) {
      const breaches = run.see(exchange);
      if (breaches.length > 0) this.#add(this.#found, place, breaches);
    }
  }

  /** All there is to say so far, in the order in which it was found; what holds only if nothing more comes is last. */
  findings(): Finding[] {
    const found = new Map(
      [...this.#found].map(([key, each]) => [key, { ...each, evidence: [...each.evidence] }]),
    );
    for (const place of [this.#stream, ...this.#tasks.values()]) this.#end(place, found);
    return [...found.values()];
  }

  /** `seq` of exchanges that showed rules to be kept, by the id of the rule. */
  kept(): Map<string, number[]> {
    this.findings();
    return new Map([...this.#kept].map(([rule, seqs]) => [rule, [...seqs]]));
  }

  /** Tasks by id as the client saw them; undefined if the exchanges are of several organisations. */
  clientTasks(): Map<string, TaskConversation> | undefined {
    const places = [...this.#tasks.values()];
    if (places.some(({ organisation }) => organisation !== places[0]!.organisation)) return undefined;
    return new Map(
      places.flatMap(({ task, runs }) => {
        const run = runs.find(({ group }) => group.side === 'client');
        return run ? [[task!, run.task]] : [];
      }),
    );
  }

  #runs(scope: Rule['scope']): RuleRun[] {
    return groupsOf(this.rules)
      .filter((group) => group.scope === scope)
      .map((group) => new RuleRun(group, this.#keep));
  }

  readonly #keep = ({ id }: Rule, seq: number): void => {
    const seqs = this.#kept.get(id);
    if (!seqs) this.#kept.set(id, [seq]);
    else if (seqs.length < MOST_EVIDENCE && !seqs.includes(seq)) seqs.push(seq);
  };

  #placeOf(organisation: string, task: string): JudgedPlace {
    const key = `${organisation}\n${task}`;
    let place = this.#tasks.get(key);
    if (!place) {
      place = { organisation, task, runs: this.#runs('task') };
      this.#tasks.set(key, place);
    }
    return place;
  }

  #end(place: JudgedPlace, found: Map<string, Finding>): void {
    for (const run of place.runs) this.#add(found, place, run.end());
  }

  #add(found: Map<string, Finding>, place: JudgedPlace, breaches: readonly RuleComplaint[]): void {
    for (const { rule, complaint } of breaches) {
      const { message, about, event } = complaint;
      const evidence = once(complaint.evidence ?? []);
      const task = complaint.task ?? place.task;
      const key = JSON.stringify([rule.id, place.organisation, task, about ?? event]);
      const known = found.get(key);
      if (known) {
        const fresh = evidence.filter((seq) => !known.evidence.includes(seq));
        known.evidence.push(...fresh.slice(0, MOST_EVIDENCE - known.evidence.length));
      } else if (found.size < MOST_FINDINGS) {
        const { id, requirements, side, level } = rule;
        const [requirement] = requirements;
        const shown = evidence.slice(-MOST_EVIDENCE);
        const finding: Finding = { rule: id, requirement, side, level, message, evidence: shown };
        if (task !== undefined) finding.task = task;
        if (event !== undefined) finding.event = event;
        found.set(key, finding);
      }
    }
  }
}

/** A judge that was shown exchanges that are all there, in whatever order. Changes nothing in them. */
export function judgeExchanges(rules: readonly Rule[], exchanges: readonly Exchange[]): Judge {
  const read = exchanges.map((exchange) => new ReadExchange(exchange));
  return judgeReadExchanges(rules, read.sort(byEnd));
}

/** The same with exchanges that were read already, in the order in which they ended. */
export function judgeReadExchanges(rules: readonly Rule[], exchanges: readonly ReadExchange[]): Judge {
  const judge = new Judge(rules);
  for (const exchange of exchanges) judge.read(exchange);
  return judge;
}

/** Each exchange once, where it came last: the one that decides stays behind the others. */
function once(evidence: readonly number[]): number[] {
  return evidence.filter((seq, at) => !evidence.includes(seq, at + 1));
}
