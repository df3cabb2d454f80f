/** How long property tests run: `deep` runs in the deep suite (`vitest run --mode deep`), `quick` ones in the quick suite. */
export function countRuns(depth: { quick: number; deep: number }): number {
  return process.env.TEST_DEPTH === 'deep' ? depth.deep : depth.quick;
}
