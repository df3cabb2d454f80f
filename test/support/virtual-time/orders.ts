/** Before or after a run. */
const PHASES = ['before', 'after'] as const;
export type Phase = (typeof PHASES)[number];

export interface ActOrder {
  name: string;
  steps: { act: string; phase: Phase }[];
}

/**
 * All orders of acts that keep the order within each pair (on before off), each act before or after a run. Pairs are nested or
 * sequential: restoring the lower of two fakes breaks the upper one even without a run.
 */
export function listOrders(...pairs: [on: string, off: string][]): ActOrder[] {
  const nestActs = (first: string[], ...rest: string[][]): string[][] => {
    const inner = rest.length > 0 ? nestActs(rest[0]!, ...rest.slice(1)) : [[]];
    const [on, off] = first as [string, string];
    return inner.flatMap((acts) =>
      acts.length > 0
        ? [
            [on, ...acts, off],
            [on, off, ...acts],
            [...acts, on, off],
          ]
        : [[on, off]],
    );
  };
  const both =
    pairs.length > 1
      ? [nestActs(pairs[0]!, pairs[1]!), nestActs(pairs[1]!, pairs[0]!)].flat()
      : nestActs(pairs[0]!);
  const unique = new Map(both.map((acts) => [acts.join(), acts]));
  return [...unique.values()].flatMap((acts) =>
    listPhases(acts.length).map((phases) => {
      const steps = acts.map((act, index) => ({ act, phase: phases[index]! }));
      return { name: steps.map(({ act, phase }) => `${act} ${phase}`).join(', '), steps };
    }),
  );
}

/** All non-decreasing sequences of `length` phases. */
function listPhases(length: number, from = 0): Phase[][] {
  if (length === 0) return [[]];
  return PHASES.slice(from).flatMap((phase, index) =>
    listPhases(length - 1, from + index).map((rest) => [phase, ...rest]),
  );
}
