import type { ConformReport } from '../../conformance/service/result.js';
import type { ClientFlags } from '../client.js';
import { commandLine } from '../judging/client-command.js';

/** The report with the line to type to see each failure again. */
export function withAgain(
  report: ConformReport,
  command: readonly string[],
  { time, scenario = [] }: ClientFlags,
): ConformReport {
  const how = time === 'real' ? [] : ['--time', time];
  const checks = report.checks.map((check) => {
    if (check.outcome !== 'failed' || check.suite === 'honesty') return check;
    // A scenario of the library goes by its name; one of a file only by the file, which was named.
    const name = check.id.slice(0, check.id.indexOf('#'));
    const files = check.suite === 'own' ? scenario.filter((each) => /\.(ya?ml|json)$/.test(each)) : [name];
    const asked = files.flatMap((each) => ['--scenario', each]);
    return {
      ...check,
      again: commandLine(['npx', 'taskdouble', 'client', ...asked, ...how, '--', ...command]),
    };
  });
  return { ...report, checks };
}
