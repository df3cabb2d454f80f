/** Number of runs of a property test in the quick suite and in the deep suite (`vitest run --mode deep`). */
export function countRuns(depth: { quick: number; deep: number }): number {
  return process.env.TEST_DEPTH === 'deep' ? depth.deep : depth.quick;
}
