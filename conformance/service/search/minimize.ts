import type { SequenceRun } from './play/play.js';
import { createSteps, listCommands, type Sequence, type SequenceStep } from './sequence/sequence.js';

/** Maximum number of runs. */
const MOST_RUNS = 120;

/** Minimizes a failing sequence. `reproduce` plays a sequence and returns its run if it shows the same failure. */
export async function minimize(
  run: SequenceRun,
  reproduce: (sequence: Sequence) => Promise<SequenceRun | undefined>,
): Promise<SequenceRun> {
  let best = run;
  let runs = 0;
  const isBetter = async (steps: SequenceStep[]): Promise<boolean> => {
    if (runs++ >= MOST_RUNS) return false;
    const again = await reproduce(steps);
    if (again) best = again;
    return again !== undefined;
  };
  // Removes halves first, then ever smaller parts.
  for (let size = best.steps.length >> 1; size >= 1; size = size === 1 ? 0 : size >> 1) {
    for (let at = best.steps.length - size; at >= 0; at -= size)
      if (await isBetter(best.steps.toSpliced(Math.max(0, at), size))) at = Math.min(at, best.steps.length);
  }
  for (let index = best.steps.length - 1; index >= 0; index--) {
    const commands = () => listCommands(best.steps[index] ?? { wait_ms: 0 });
    for (let at = commands().length - 1; at >= 0; at--) {
      const left = commands().toSpliced(at, 1);
      if (left.length > 0) await isBetter(best.steps.toSpliced(index, 1, ...createSteps(left)));
    }
  }
  return best;
}
