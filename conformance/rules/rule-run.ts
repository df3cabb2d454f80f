import type { OperationId } from '../../spec/generated/operations.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import { TaskConversation } from '../conversation/task-conversation.js';
import { type Complaint, complaintsIn, type Rule, type Watcher } from './rule.js';

export interface RuleComplaint {
  rule: Rule;
  complaint: Complaint;
}

type Keep = (rule: Rule, seq: number) => void;

/** The rules of one side and scope. */
export class RuleGroup {
  readonly #byOperation = new Map<OperationId | undefined, readonly number[]>();

  constructor(
    readonly side: Rule['side'],
    readonly scope: Rule['scope'],
    readonly rules: readonly Rule[],
  ) {}

  /** Indexes of the rules that see exchanges of this operation. */
  about(id: OperationId | undefined): readonly number[] {
    let indexes = this.#byOperation.get(id);
    if (!indexes) {
      indexes = this.rules.flatMap(({ only }, at) => (!only || (id && only.includes(id)) ? [at] : []));
      this.#byOperation.set(id, indexes);
    }
    return indexes;
  }
}

/** By their list: grouping the rules takes longer than judging a short conversation. */
const known = new WeakMap<readonly Rule[], readonly RuleGroup[]>();

export function groupsOf(rules: readonly Rule[]): readonly RuleGroup[] {
  let groups = known.get(rules);
  if (!groups) {
    groups = (['client', 'service'] as const)
      .flatMap((side) =>
        (['stream', 'task'] as const).map((scope) => {
          const some = rules.filter((rule) => rule.scope === scope && rule.side === side);
          return new RuleGroup(side, scope, some);
        }),
      )
      .filter((group) => group.rules.length > 0);
    known.set(rules, groups);
  }
  return groups;
}

/** The rules of a group at work on one task, or on one stream. */
export class RuleRun {
  /** As the client or the service saw it. Empty for rules about the whole stream. */
  readonly task = new TaskConversation();
  /** Undefined for rules that have a check. */
  readonly #watchers: readonly (Watcher | undefined)[];

  constructor(
    readonly group: RuleGroup,
    private readonly keep: Keep,
  ) {
    const { task } = this;
    this.#watchers = group.rules.map((rule) => {
      const watcher = rule.start?.({ task, kept: (seq) => keep(rule, seq) });
      return typeof watcher === 'function' ? { see: watcher } : watcher;
    });
  }

  see(exchange: ReadExchange): RuleComplaint[] {
    const breaches: RuleComplaint[] = [];
    const { side, scope, rules } = this.group;
    const shown = side === 'service' ? exchange.ofService : exchange;
    const { id } = shown.operation ?? {};
    for (const at of this.group.about(id)) {
      const rule = rules[at]!;
      const judgement = rule.check ? rule.check(shown, this.task) : this.#watchers[at]?.see?.(shown);
      if (judgement === undefined) continue;
      if (judgement === 'kept') this.keep(rule, shown.seq);
      else
        for (const complaint of complaintsIn(judgement)) {
          const about = complaint.about ?? complaint.event ?? (scope === 'stream' ? id : undefined);
          breaches.push({ rule, complaint: { evidence: [shown.seq], ...complaint, about } });
        }
    }
    if (scope === 'task') this.task.see(shown);
    return breaches;
  }

  /** What there is to say if nothing more comes. */
  end(): RuleComplaint[] {
    return this.#watchers.flatMap((watcher, at) =>
      (watcher?.end?.() ?? []).map((complaint) => ({ rule: this.group.rules[at]!, complaint })),
    );
  }
}
