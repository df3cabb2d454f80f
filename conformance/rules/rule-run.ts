import type { ReadExchange } from '../conversation/read-exchange.js';
import { TaskConversation } from '../conversation/task-conversation.js';
import { type Complaint, complaintsIn, type Rule, type Watcher } from './rule.js';

export interface RuleComplaint {
  rule: Rule;
  complaint: Complaint;
}

type Keep = (rule: Rule, seq: number) => void;

/** The rules of one side at work on one task, or on one stream. */
export class RuleRun {
  readonly #task = new TaskConversation();
  /** Undefined for rules that have a check. */
  readonly #watchers: readonly (Watcher | undefined)[];

  constructor(
    private readonly rules: readonly Rule[],
    private readonly keep: Keep,
  ) {
    const task = this.#task;
    this.#watchers = rules.map((rule) => {
      const watcher = rule.start?.({ task, kept: (seq) => keep(rule, seq) });
      return typeof watcher === 'function' ? { see: watcher } : watcher;
    });
  }

  see(exchange: ReadExchange): RuleComplaint[] {
    const breaches: RuleComplaint[] = [];
    const { side, scope } = this.rules[0]!;
    const shown = side === 'service' ? exchange.ofService : exchange;
    const { id } = shown.operation ?? {};
    for (const [at, rule] of this.rules.entries()) {
      if (rule.only && !(id && rule.only.includes(id))) continue;
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
      (watcher?.end?.() ?? []).map((complaint) => ({ rule: this.rules[at]!, complaint })),
    );
  }
}

export function runsOf(rules: readonly Rule[], scope: Rule['scope'], keep: Keep): RuleRun[] {
  return (['client', 'service'] as const)
    .map((side) => rules.filter((rule) => rule.scope === scope && rule.side === side))
    .filter((some) => some.length > 0)
    .map((some) => new RuleRun(some, keep));
}
