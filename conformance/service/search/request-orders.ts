import type { SentStep } from './judge/model-comparison.js';

/** Other orders of the concurrent requests: first those that change one step, the latest step first. */
export function* listOtherOrders(entries: readonly SentStep[]): Generator<(readonly number[] | undefined)[]> {
  for (let changes = 1; changes <= entries.length; changes++) yield* listOrders(entries, changes);
}

function* listOrders(
  entries: readonly SentStep[],
  changes: number,
): Generator<(readonly number[] | undefined)[]> {
  const [first, ...rest] = entries;
  if (first === undefined) {
    if (changes === 0) yield [];
    return;
  }
  for (const others of listOrders(rest, changes)) yield [undefined, ...others];
  if (changes === 0 || typeof first === 'number' || first.length < 2) return;
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
