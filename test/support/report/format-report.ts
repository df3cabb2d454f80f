import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseReportFlags } from '../../../conformance/report/formats.js';
import { redactReport } from '../../../conformance/report/redact-report.js';
import type { ReadingOptions } from '../../../conformance/report/verdict.js';
import { writeReports } from '../../../conformance/report/write.js';
import type { ConformReport } from '../../../conformance/service/runner/result.js';
import { SECRET } from './reports.js';

/** The report in the format of `--report flag`. */
export async function formatReport(
  report: ConformReport,
  flag: string,
  options: ReadingOptions & { secrets?: readonly string[] } = {},
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'taskdouble-written-'));
  try {
    const [format, path = 'report'] = flag.split('=');
    const file = join(directory, path);
    const targets = parseReportFlags([`${format}=${file}`]).filter((target) => target.path !== undefined);
    const { secrets = [SECRET] } = options;
    await writeReports(redactReport(report, secrets), targets, process.stdout, options);
    return await readFile(file, 'utf8');
  } finally {
    await rm(directory, { recursive: true });
  }
}
