import { type OperationId, operations } from '../../spec/generated/operations.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import { TaskConversation } from '../conversation/task-conversation.js';
import type { Complaint, Rule, Watcher } from './rule.js';

type Report = (rule: Rule, complaint: Complaint, evidence: readonly number[]) => void;

/** Rules of one side and one scope, and which of them each operation concerns. */
export class RuleList {
  readonly #always: readonly number[];
  readonly #byOperation: ReadonlyMap<string, readonly number[]>;

  constructor(readonly rules: readonly Rule[]) {
    const indexes = [...rules.keys()];
    this.#always = indexes.filter((at) => rules[at]!.only === undefined);
    this.#byOperation = new Map(
      (Object.keys(operations) as OperationId[]).map((id) => [
        id,
        indexes.filter((at) => rules[at]!.only?.includes(id) ?? true),
      ]),
    );
  }

  /** Indexes of the rules that are shown exchanges of this operation. */
  concerning(operation: OperationId | undefined): readonly number[] {
    return (operation !== undefined && this.#byOperation.get(operation)) || this.#always;
  }
}

/** `seq`s kept of one rule as evidence that it was kept. */
const MOST_KEPT = 20;

/** The rules of a list at work on one task, or on one stream. */
export class RuleRun {
  readonly #task = new TaskConversation();
  /** Undefined for rules that have a check. */
  readonly #watchers: readonly (Watcher | undefined)[];
  /** By the index of the rule. */
  readonly #kept = new Map<number, number[]>();

  constructor(private readonly list: RuleList) {
    const task = this.#task;
    this.#watchers = list.rules.map(({ start }, at) => start?.({ task, kept: (seq) => this.#keep(at, seq) }));
  }

  see(exchange: ReadExchange, report: Report): void {
    const { rules } = this.list;
    const evidence = rules[0]!.side === 'service' ? exchange.ofService : exchange;
    for (const at of this.list.concerning(evidence.operation?.id)) {
      const { check } = rules[at]!;
      const judgement = check ? check(evidence, this.#task) : this.#watchers[at]?.see?.(evidence);
      if (judgement === undefined) continue;
      if (judgement === 'kept') this.#keep(at, evidence.seq);
      else
        for (const complaint of [judgement].flat())
          report(rules[at]!, complaint, complaint.evidence ?? [evidence.seq]);
    }
    if (rules[0]!.scope === 'task') this.#task.see(evidence);
  }

  /** Reports what there is to say if nothing more comes. */
  end(report: Report): void {
    for (const [at, watcher] of this.#watchers.entries())
      for (const complaint of [watcher?.end?.() ?? []].flat())
        report(this.list.rules[at]!, complaint, complaint.evidence ?? []);
  }

  /** `seq` of exchanges that show rules to be kept. */
  *kept(): Generator<[rule: string, seqs: readonly number[]]> {
    for (const [at, watcher] of this.#watchers.entries()) {
      const seqs = watcher?.kept?.().slice(0, MOST_KEPT) ?? this.#kept.get(at);
      if (seqs?.length) yield [this.list.rules[at]!.id, seqs];
    }
  }

  #keep(at: number, seq: number): void {
    const kept = this.#kept.get(at);
    if (!kept) this.#kept.set(at, [seq]);
    else if (kept.length < MOST_KEPT && !kept.includes(seq)) kept.push(seq);
  }
}

interface RuleLists {
  ofTask: readonly RuleList[];
  ofStream: readonly RuleList[];
}

/** Lists are made once for the same rules: judges are made by the thousand. */
const lists = new WeakMap<readonly Rule[], RuleLists>();

export function listsOf(rules: readonly Rule[]): RuleLists {
  let found = lists.get(rules);
  if (!found) {
    found = { ofTask: listsOfScope(rules, 'task'), ofStream: listsOfScope(rules, 'stream') };
    lists.set(rules, found);
  }
  return found;
}

function listsOfScope(rules: readonly Rule[], scope: Rule['scope']): RuleList[] {
  return (['client', 'service'] as const)
    .map((side) => rules.filter((rule) => rule.scope === scope && rule.side === side))
    .filter((some) => some.length > 0)
    .map((some) => new RuleList(some));
}
