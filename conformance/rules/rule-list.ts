import { type OperationId, operations } from '../../spec/generated/operations.js';
import { Books } from './books.js';
import type { Rule, Watcher } from './rule.js';

/** Rules of one scope, and which of them each operation concerns. */
export class RuleList {
  readonly #always: readonly number[];
  readonly #byOperation: ReadonlyMap<string, readonly number[]>;

  constructor(readonly rules: readonly Rule[]) {
    const places = [...rules.keys()];
    this.#always = places.filter((at) => rules[at]!.only === undefined);
    this.#byOperation = new Map(
      (Object.keys(operations) as OperationId[]).map((id) => [
        id,
        places.filter((at) => rules[at]!.only?.includes(id) ?? true),
      ]),
    );
  }

  /** Places of the rules that are shown exchanges of this operation. */
  concerning(operation: OperationId | undefined): readonly number[] {
    return (operation !== undefined && this.#byOperation.get(operation)) || this.#always;
  }

  /** The rules at work on one task, or on one stream. */
  begin(): Watch {
    const books = new Books();
    return { list: this, books, watchers: this.rules.map((rule) => rule.start(books)) };
  }
}

/** Watchers stand at the places of their rules. */
export interface Watch {
  list: RuleList;
  books: Books;
  watchers: readonly Watcher[];
}

/** What a list of rules comes to is found out once: judges are made by the thousand. */
const lists = new WeakMap<readonly Rule[], { ofTask: RuleList; ofStream: RuleList }>();

export function listsOf(rules: readonly Rule[]): { ofTask: RuleList; ofStream: RuleList } {
  let found = lists.get(rules);
  if (!found) {
    found = {
      ofTask: new RuleList(rules.filter(({ scope }) => scope === 'task')),
      ofStream: new RuleList(rules.filter(({ scope }) => scope === 'stream')),
    };
    lists.set(rules, found);
  }
  return found;
}
