import { type OperationId, operations } from '../../spec/generated/operations.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import { TaskConversation } from '../conversation/task-conversation.js';
import { type Complaint, complaintsIn, type Rule, type Watcher } from './rule.js';

/** Rules of one side and one scope, and which of them each operation concerns, by index. */
export interface RuleList {
  rules: readonly Rule[];
  byOperation: ReadonlyMap<OperationId | undefined, readonly number[]>;
}

export interface RuleComplaint {
  rule: Rule;
  complaint: Complaint;
}

/** The rules of a list at work on one task, or on one stream. */
export class RuleRun {
  readonly #task = new TaskConversation();
  /** Undefined for rules that have a check. */
  readonly #watchers: readonly (Watcher | undefined)[];

  constructor(
    private readonly list: RuleList,
    private readonly keep: (rule: Rule, seq: number) => void,
  ) {
    const task = this.#task;
    this.#watchers = list.rules.map((rule) => {
      const watcher = rule.start?.({ task, kept: (seq) => keep(rule, seq) });
      return typeof watcher === 'function' ? { see: watcher } : watcher;
    });
  }

  see(exchange: ReadExchange): RuleComplaint[] {
    const breaches: RuleComplaint[] = [];
    const { rules, byOperation } = this.list;
    const { side, scope } = rules[0]!;
    const shown = side === 'service' ? exchange.ofService : exchange;
    const { id } = shown.operation ?? {};
    for (const at of byOperation.get(id)!) {
      const rule = rules[at]!;
      const judgement = rule.check ? rule.check(shown, this.#task) : this.#watchers[at]?.see?.(shown);
      if (judgement === undefined) continue;
      if (judgement === 'kept') this.keep(rule, shown.seq);
      else
        for (const complaint of complaintsIn(judgement)) {
          const about = complaint.about ?? complaint.event ?? (scope === 'stream' ? id : undefined);
          breaches.push({ rule, complaint: { evidence: [shown.seq], ...complaint, about } });
        }
    }
    if (scope === 'task') this.#task.see(shown);
    return breaches;
  }

  /** What there is to say if nothing more comes. */
  end(): RuleComplaint[] {
    return this.#watchers.flatMap((watcher, at) =>
      (watcher?.end?.() ?? []).map((complaint) => ({ rule: this.list.rules[at]!, complaint })),
    );
  }
}

/** Lists are made once for the same rules: judges are made by the thousand. */
const lists = new WeakMap<readonly Rule[], Record<Rule['scope'], readonly RuleList[]>>();

export function listsOf(rules: readonly Rule[]): Record<Rule['scope'], readonly RuleList[]> {
  let found = lists.get(rules);
  if (!found) {
    found = { task: listsOfScope(rules, 'task'), stream: listsOfScope(rules, 'stream') };
    lists.set(rules, found);
  }
  return found;
}

function listsOfScope(all: readonly Rule[], scope: Rule['scope']): RuleList[] {
  return (['client', 'service'] as const)
    .map((side) => all.filter((rule) => rule.scope === scope && rule.side === side))
    .filter((rules) => rules.length > 0)
    .map((rules) => {
      const concerning = (id: OperationId | undefined) =>
        [...rules.keys()].filter((at) => rules[at]!.only?.includes(id!) ?? true);
      const ids = [undefined, ...(Object.keys(operations) as OperationId[])];
      return { rules, byOperation: new Map(ids.map((id) => [id, concerning(id)])) };
    });
}
