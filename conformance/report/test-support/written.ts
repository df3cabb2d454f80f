import type { ConformReport } from '../../service/result.js';
import { parseReportFlag } from '../formats.js';
import { type ReportOptions, writeReports } from '../write.js';
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
