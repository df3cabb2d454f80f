import { parseReportFlag } from '../../../conformance/report/formats.js';
import { type ReportOptions, writeReports } from '../../../conformance/report/write.js';
import type { ConformReport } from '../../../conformance/service/runner/result.js';
import { SECRET } from './reports.js';

/** What `--report flag` makes of a report. */
export async function written(
  report: ConformReport,
  flag: string,
  options: ReportOptions = {},
): Promise<string> {
  let text = '';
  const stdout = {
    write(part: string) {
      text += part;
    },
  };
  const writeFile = async (_: string, whole: string) => {
    text += whole;
  };
  await writeReports(
    report,
    [parseReportFlag(flag)],
    { stdout, env: {}, writeFile },
    { secrets: [SECRET], ...options },
  );
  return text;
}
