import { toJson } from '../../common/text.js';
import type { ReportView } from '../view.js';
import { listIssues, type ReportIssue } from './issues.js';

const SEVERITIES = {
  leak: 'blocker',
  loss: 'critical',
  state: 'major',
  form: 'minor',
  advice: 'info',
} as const satisfies Record<ReportIssue['level'], string>;

/** Code Quality of GitLab: the part of the Code Climate format that GitLab reads, and the details as `content`. */
export function formatCodeQualityReport(view: ReportView): string {
  return toJson(
    listIssues(view).map(({ rule, title, details, level, path, fingerprint }) => ({
      type: 'issue',
      check_name: rule,
      description: title,
      content: { body: details },
      severity: SEVERITIES[level],
      fingerprint,
      location: { path, lines: { begin: 1 } },
    })),
  );
}
