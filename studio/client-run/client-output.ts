import { signal } from '@preact/signals';
import type { ClientOutput } from '../../mock/options/client-runs.js';
import { admin } from '../live/admin-client.js';
import { serializeRuns } from '../live/serialize-runs.js';

/** Minimum time between two requests for output, ms. */
const INTERVAL_MS = 150;
/** Characters that are shown. */
const MOST_SHOWN = 100_000;

/** The end of the output of one run. */
export interface ShownOutput {
  run: number;
  parts: readonly ClientOutput[];
  /** Characters before the first part. */
  leftOut: number;
}

export const shownOutput = signal<ShownOutput | undefined>(undefined);
let next = 0;
let wanted = 0;

const loadOutput = serializeRuns(async () => {
  const run = wanted;
  if (shownOutput.value?.run !== run) {
    next = 0;
    shownOutput.value = { run, parts: [], leftOut: 0 };
  }
  const { parts, leftOut } = shownOutput.value!;
  const more = await admin.fetchClientOutput(run, next).catch(() => undefined);
  if (!more) return INTERVAL_MS;
  next = more.next;
  shownOutput.value = keepEnd({ run, parts: [...parts, ...more.parts], leftOut: leftOut + more.left_out });
  return INTERVAL_MS;
});

/** Loads what a run has printed since the last call; the output of an earlier run is removed. */
export function loadClientOutput(run: number): void {
  wanted = run;
  loadOutput();
}

function keepEnd({ run, parts, leftOut }: ShownOutput): ShownOutput {
  let excess = parts.reduce((sum, { text }) => sum + text.length, 0) - MOST_SHOWN;
  if (excess <= 0) return { run, parts, leftOut };
  const kept = parts.flatMap((part) => {
    const cut = Math.min(Math.max(0, excess), part.text.length);
    excess -= cut;
    return cut === part.text.length ? [] : [{ ...part, text: part.text.slice(cut) }];
  });
  const left = leftOut + parts.reduce((sum, { text }) => sum + text.length, 0) - MOST_SHOWN;
  return { run, parts: kept, leftOut: left };
}
