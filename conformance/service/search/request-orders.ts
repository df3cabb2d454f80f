import type { SentCommand, SentStep } from './judge/model-comparison.js';

/** Other orders of the concurrent requests: first those that change one step, the latest step first. */
export function* listOtherOrders(entries: readonly SentStep[]): Generator<(readonly number[] | undefined)[]> {
  const concurrent = entries.filter(
    (each): each is readonly SentCommand[] => typeof each !== 'number' && each.length > 1,
  );
  for (let changes = 1; changes <= concurrent.length; changes++)
    for (const orders of listOrders(concurrent, changes)) {
      const byEntry = new Map<SentStep, (typeof orders)[number]>();
      for (const [index, entry] of concurrent.entries()) byEntry.set(entry, orders[index]);
      yield entries.map((entry) => byEntry.get(entry));
    }
}

function* listOrders(
  steps: readonly (readonly SentCommand[])[],
  changes: number,
): Generator<(readonly number[] | undefined)[]> {
  const [first, ...rest] = steps;
  if (first === undefined) {
    if (changes === 0) yield [];
    return;
  }
  for (const others of listOrders(rest, changes)) yield [undefined, ...others];
  if (changes === 0) return;
  const orders = [...listPermutations([...first.keys()])].slice(1);
  for (const others of listOrders(rest, changes - 1)) for (const order of orders) yield [order, ...others];
}

function* listPermutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length <= 1) {
    yield [...items];
    return;
  }
  for (const [index, item] of items.entries())
    for (const rest of listPermutations(items.toSpliced(index, 1))) yield [item, ...rest];
}
