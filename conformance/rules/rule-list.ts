import { type OperationId, operations } from '../../spec/generated/operations.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import { TaskConversation } from '../conversation/task-conversation.js';
import type { Complaint, Rule, Watcher } from './rule.js';

type Report = (rule: Rule, complaint: Complaint) => void;

const NONE: readonly Complaint[] = [];

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

/** The rules of a list at work on one task, or on one stream. */
export class RuleRun {
  readonly #task = new TaskConversation();
  readonly #watchers: readonly Watcher[];

  constructor(private readonly list: RuleList) {
    this.#watchers = list.rules.map((rule) =>
      rule.scope === 'task' ? rule.start(this.#task) : rule.start(),
    );
  }

  see(exchange: ReadExchange, report: Report): void {
    const { rules } = this.list;
    if (rules.length === 0) return;
    const evidence = rules[0]!.side === 'service' ? exchange.ofService : exchange;
    for (const at of this.list.concerning(evidence.operation?.id)) {
      for (const complaint of this.#watchers[at]!.see(evidence)) report(rules[at]!, complaint);
    }
    if (rules[0]!.scope === 'task') this.#task.see(evidence);
  }

  /** Reports what there is to say if nothing more comes. */
  end(report: Report): void {
    for (const [at, watcher] of this.#watchers.entries())
      for (const complaint of watcher.end?.() ?? NONE) report(this.list.rules[at]!, complaint);
  }

  /** `seq` of exchanges that show rules to be kept. */
  *kept(): Generator<[rule: string, seqs: readonly number[]]> {
    for (const [at, { held }] of this.#watchers.entries())
      if (held?.length) yield [this.list.rules[at]!.id, held];
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
