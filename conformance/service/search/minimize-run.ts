import { type Candidates, minimize } from '../../common/minimize.js';
import type { SequenceRun } from './play.js';
import { createSteps, listCommands, type Sequence } from './sequence/sequence.js';

/** Runs of one minimization, at most. */
const MOST_RUNS = 120;
/** Requests of one minimization, about: a sequence with a long log has few runs. */
const MOST_REQUESTS = 20_000;

/** Returns the shortest run found. `reproduce`: runs a sequence; undefined if it does not show the failure. */
export async function minimizeRun(
  run: SequenceRun,
  reproduce: (sequence: Sequence) => Promise<SequenceRun | undefined>,
): Promise<SequenceRun> {
  let short = run;
  const stillFails = async (sequence: Sequence): Promise<boolean> => {
    const again = await reproduce(sequence);
    short = again ?? short;
    return again !== undefined;
  };
  const runs = Math.min(MOST_RUNS, Math.ceil(MOST_REQUESTS / run.exchanges.length));
  await minimize(run.steps, () => shortenSequence(() => short.steps), stillFails, { runs });
  return short;
}

/** `readBest`: the steps of the shortest run so far. A run ends at the failure, so that it may have fewer steps than were to be sent. */
function* shortenSequence(readBest: () => Sequence): Candidates<Sequence> {
  // Removes halves first, then ever smaller parts.
  for (let size = readBest().length >> 1; size >= 1; size >>= 1)
    for (let at = readBest().length - size; at >= 0; at = Math.min(at, readBest().length) - size)
      yield readBest().toSpliced(at, size);
  for (let index = readBest().length - 1; index >= 0; index--) {
    const listOwn = () => listCommands(readBest()[index] ?? { wait_ms: 0 });
    for (let at = listOwn().length - 1; at >= 0; at--) {
      const left = listOwn().toSpliced(at, 1);
      if (left.length > 0) yield readBest().toSpliced(index, 1, ...createSteps(left));
    }
  }
}
