import { judgeBothSides } from '../conformance/both-sides/both-sides.js';
import { parseGlob } from '../conformance/common/text.js';
import { checkRecordings } from '../conformance/recordings/check-recordings.js';
import { findNearest } from '../spec/nearest.js';
import type { CheckFlags } from './check.js';
import { UsageError } from './exit-codes.js';
import { resolveLacks } from './judging/lacks.js';
import { reportRun } from './judging/report-run.js';
import { runWithProgress } from './progress.js';

/** Judges recordings; the exit code is the verdict. Throws UsageError and InvalidFile. */
export async function runCheck(files: readonly string[], flags: CheckFlags): Promise<void> {
  const { side, only, exclude } = flags;
  const lacks = resolveLacks(flags, 'check');
  const sides = side === 'both' ? undefined : [side];
  const ids = listCheckIds(sides);
  checkGlobs('--only', only ?? [], ids);
  checkGlobs('--exclude', exclude ?? [], ids);
  await reportRun({
    files: flags,
    cleanUp: undefined,
    run: () =>
      runWithProgress((onProgress) => checkRecordings(files, { sides, only, exclude, lacks, onProgress })),
    listUnselected: undefined,
  });
}

function listCheckIds(sides: ('client' | 'service')[] | undefined): string[] {
  const run = { baseUrl: '', started: new Date(0), duration_ms: 0, sides };
  return judgeBothSides([])
    .createReport(run)
    .checks.map(({ id }) => id);
}

/** Throws UsageError for a glob that matches no check. */
function checkGlobs(option: string, globs: readonly string[], ids: readonly string[]): void {
  for (const glob of globs) {
    if (ids.some((id) => parseGlob(glob).test(id))) continue;
    const rules = ids.map((id) => id.replace(/^\w+#/, ''));
    const shorter = [...rules, ...rules.map((rule) => rule.replace(/\/.*/, '/*'))];
    const rule = findNearest(glob, shorter);
    const meant = findNearest(glob, [...ids, ...shorter.map((each) => `*#${each}`)]) ?? (rule && `*#${rule}`);
    const advice = meant ? `did you mean "${meant}"?` : 'ids are client#RULE and service#REQUIREMENT.';
    throw new UsageError(`${option}: no check fits "${glob}"; ${advice}`);
  }
}
