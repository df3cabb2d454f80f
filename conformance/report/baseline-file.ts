import { isCollection, isNode, LineCounter, stringify } from 'yaml';
import { parseYaml } from '../../scenarios/format/load/source.js';
import { toOneLine } from '../../spec/visible.js';
import type { CheckResult } from '../causes/check-result.js';
import { formatCount } from '../common/text.js';
import type { ConformReport } from '../service/runner/result.js';
import { type Baseline, PLACEHOLDER } from './baseline.js';
import { formatTargetName } from './verdict.js';

/** A baseline with every failure of a report, by cause. Known failures keep their reason and expiry. */
export function formatBaseline(report: ConformReport): string {
  const failed = new Map(
    report.checks.filter(({ outcome }) => outcome === 'failed').map((check) => [check.id, check]),
  );
  const written = new Set<string>();
  const groups = report.causes.map(({ id, title, checks }) => {
    const lines = checks.flatMap((each) => {
      const check = failed.get(each);
      const name = check && formatEntryName(check, report);
      // A known failure of a search is one entry for all scenarios.
      if (check === undefined || name === undefined || written.has(name)) return [];
      written.add(name);
      const { reason, expires } = check.known ?? { reason: PLACEHOLDER, expires: PLACEHOLDER };
      return [stringify([{ check: name, reason, expires }], { lineWidth: 0 })];
    });
    const head = `# ${toOneLine(id)} (${formatCount(checks.length, 'failure')}): ${toOneLine(title)}\n`;
    return lines.length === 0 ? '' : `\n${head}${lines.join('')}`;
  });
  const lines = [
    `# Known failures of ${toOneLine(formatTargetName(report))}, by probable cause.`,
    `# Replace each ${PLACEHOLDER}: reason says why the failure is there; expires is the last day on which`,
    '# it counts as known, written YYYY-MM-DD. --baseline refuses the file until then.',
  ];
  const entries = groups.join('');
  return `${lines.join('\n')}\n${entries === '' ? '[]\n' : entries}`;
}

/** The entry for a failure of a search covers every scenario. A scenario that has only known failures has no entry. */
function formatEntryName({ id }: CheckResult, { searched }: ConformReport): string | undefined {
  if (searched === undefined) return id;
  const key = id.slice(id.indexOf('#') + 1);
  return key === 'explored' ? undefined : `*#${key}`;
}

/**
 * The text of a baseline without these entries; everything else is unchanged. The comment above a group stays with its other
 * entries. Undefined if another entry uses an anchor of one of them.
 */
export function removeEntries(
  text: string,
  { entries }: Baseline,
  unneeded: readonly number[],
): string | undefined {
  const document = parseYaml(text, new LineCounter());
  const items = isCollection(document.contents) ? document.contents.items : [];
  for (const at of unneeded.toSorted((one, other) => other - one)) {
    const [removed] = items.splice(at, 1);
    const next = items[at];
    if (!isNode(removed) || !isNode(next) || next.commentBefore || next.spaceBefore) continue;
    if (removed.commentBefore) next.commentBefore = removed.commentBefore;
    if (removed.spaceBefore) next.spaceBefore = true;
  }
  if (unneeded.length === entries.length)
    return `${document.commentBefore ? formatComment(document.commentBefore) : ''}[]\n`;
  try {
    return document.toString({ lineWidth: 0, flowCollectionPadding: true });
  } catch {
    // An alias without its anchor: the library throws a plain Error.
    return undefined;
  }
}

function formatComment(comment: string): string {
  return comment.replace(/^/gm, '#').concat('\n\n');
}
