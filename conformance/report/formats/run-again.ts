import { toOneLine } from '../../../spec/visible.js';
import type { CheckResult } from '../../causes/check-result.js';
import { readCommandName } from '../../common/command-name.js';
import { formatCommandLine } from '../../common/shell.js';
import { explainFinding } from '../../explain/explain-finding.js';
import type { ConformReport } from '../../service/runner/result.js';
import { listSides } from '../verdict.js';
import type { ReportView } from '../view.js';

/** A longer command of a client is not repeated for each cause. */
const LONGEST_COMMAND = 60;

/** The command that runs the check alone; undefined for recordings. */
export function formatRunAgain(check: CheckResult, report: ConformReport): string | undefined {
  if (check.again !== undefined) return toOneLine(check.again);
  const { client, base_url } = report.target;
  if (listSides(report).length > 0) return undefined;
  const name = readCommandName();
  if (client !== undefined) {
    const command = toOneLine(client);
    return `${name} client --scenario ${formatCommandLine([check.case])} -- ${command.length > LONGEST_COMMAND ? 'COMMAND' : command}`;
  }
  return `${name} conform ${formatCommandLine([base_url, '--only', check.case])}`;
}

/** The command that explains the rule of the first cause that has an explanation. */
export function formatExplainCommand({ causes }: ReportView): string | undefined {
  const rule = causes.find(({ cause }) => explainFinding(cause.rule))?.cause.rule;
  return rule === undefined ? undefined : `${readCommandName()} explain ${rule}`;
}
