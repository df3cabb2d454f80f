import type { Mark } from '../../../../spec/signs.js';
import { toOneLine } from '../../../../spec/visible.js';
import type { Exchange } from '../../../../spec/vocabulary.js';
import { shorten } from '../../../common/text.js';
import { formatViewCommand } from '../../../explore/reproduce/race-page.js';
import type { CheckResult, Outcome } from '../../../service/runner/result.js';
import { formatColophon, formatSummary, formatTargetName, VERDICTS } from '../../verdict.js';
import { formatRowName, type ReportView } from '../../view.js';
import { PageExchanges } from './page-exchanges.js';

/** A report as studio shows it. Texts are as they came. */
export interface ReportPage {
  kind: 'report';
  title: string;
  /** What was judged. */
  name: string;
  verdict: { words: string; mark: Mark };
  /** `3 failed, 120 passed, … in 4.2 s`. */
  summary: string;
  colophon: string;
  stopped?: string;
  /** Of requirements. */
  tested: { tested: number; total: number };
  causes: PageCause[];
  checks: PageCheck[];
  parts: PagePart[];
  exchanges: Exchange[];
  /** Where requests can be sent again; absent where the service is gone or not known. */
  baseUrl?: string;
  /** Checks with exchanges that are left out, to bound the size of the page; absent where there is none. */
  cut?: number;
}

/** What probably causes failures, as `Cause`; `head` says how many. */
export interface PageCause {
  id: string;
  head: string;
  title: string;
  requirements: string[];
  operation: string | null;
  explains: number;
  example: string;
  checks: string[];
}

export interface PageCheck {
  id: string;
  mark: Outcome | 'known';
  suite: string;
  title: string;
  message: string;
  covers: string[];
  rule?: string;
  /** Which side it judges. */
  side: 'client' | 'service';
  /** Why it is known, and until when. */
  known?: string;
  /** The line to type to see it again. */
  again?: string;
  /** Of a failure with a race file: the line to type to see it step by step. */
  view?: string;
  /** Of a failure that a search found: the run in lines. */
  timeline?: string[];
  /** `seq` of the exchanges that show the outcome. */
  evidence: number[];
  /** With those before them about the same tasks, oldest first; absent where there are none. */
  conversation?: number[];
}

export interface PagePart {
  title: string;
  note?: string;
  rows: { mark?: Mark; name?: string; text: string; more?: string }[];
}

/** A failure is shown with the conversation around it, all else with its evidence only. */
const FAILED = { exchanges: 12, conversation: 30, body: 6000 };
const OTHERS = { exchanges: 3, conversation: 0, body: 800 };
const LONGEST_MESSAGE = 4000;
/** Names of a row of a part, characters. */
const LONGEST_NAMES = 400;
/** Failures first. */
const ORDER: Readonly<Record<PageCheck['mark'], number>> = {
  failed: 0,
  error: 1,
  known: 2,
  flaky: 3,
  inconclusive: 4,
  passed: 5,
  skipped: 6,
};

/** The report for studio, with as many exchanges as the page has room for. */
export function createReportPage(view: ReportView): ReportPage {
  const { report, verdict } = view;
  const { tested, total } = report.requirements;
  const kept = new PageExchanges();
  const examples = new Set(view.causes.map(({ cause }) => cause.example));
  const rankCheck = (check: CheckResult) => (examples.has(check.id) ? -1 : ORDER[readMark(check)]);
  // Every failure has the exchange that decides it before any has its conversation.
  for (const failure of view.failures) {
    const shown = view.listExchanges(failure, 1);
    kept.add(shown, shown, FAILED.body);
  }
  kept.cut = 0;
  const sorted = report.checks.toSorted((one, other) => rankCheck(one) - rankCheck(other));
  const checks = sorted.map((check) => createPageCheck(check, view, kept));
  const { base_url, client } = report.target;
  return {
    kind: 'report',
    title: formatTitle(view),
    name: formatTargetName(report),
    verdict: VERDICTS[verdict],
    summary: formatSummary(report),
    colophon: `${formatColophon(report)}, started ${report.started}`,
    ...(report.stopped !== undefined && { stopped: report.stopped }),
    tested: { tested, total },
    causes: view.causes.map(({ cause, head }) => {
      const { id, title, requirements, operation, explains, example, checks: ids } = cause;
      return { id, head, title, requirements, operation, explains, example, checks: ids };
    }),
    // As a reader wants to see them: failures first, else in the order of the report.
    checks: checks.sort((one, other) => ORDER[one.mark] - ORDER[other.mark]),
    parts: view.parts
      .filter(({ rows }) => rows.length > 0)
      .map(({ title, note, rows }) => ({
        title,
        ...(note !== undefined && { note }),
        rows: rows.map((row) => {
          const name = formatRowName(row, LONGEST_NAMES);
          return { ...row, name: name ?? '' };
        }),
      })),
    exchanges: kept.exchanges,
    ...(client === undefined && URL.canParse(base_url) && { baseUrl: base_url }),
    ...(kept.cut > 0 && { cut: kept.cut }),
  };
}

/** `http://127.0.0.1:4010 does not conform`. */
export function formatTitle({ report, verdict }: ReportView): string {
  return `${formatTargetName(report)} ${VERDICTS[verdict].words}`;
}

function readMark({ outcome, known }: CheckResult): PageCheck['mark'] {
  return known ? 'known' : outcome;
}

function createPageCheck(check: CheckResult, view: ReportView, kept: PageExchanges): PageCheck {
  const { id, suite, title, message, covers, rule, side, known, again, outcome } = check;
  const bounds = outcome === 'failed' || outcome === 'flaky' || outcome === 'error' ? FAILED : OTHERS;
  const shown = view.listExchanges(check, bounds.exchanges);
  const conversation = view.listConversation(shown, bounds.conversation);
  const seqs = kept.add(conversation.length > 0 ? conversation : shown, shown, bounds.body);
  const found = view.report.failures?.find((each) => each.id === id);
  return {
    id,
    mark: readMark(check),
    suite,
    title,
    message: shorten(message, LONGEST_MESSAGE),
    covers,
    ...(rule !== undefined && { rule }),
    side: side ?? (view.report.target.client === undefined ? 'service' : 'client'),
    ...(known && { known: `${known.reason} (until ${known.expires})` }),
    ...(again !== undefined && { again: toOneLine(again) }),
    ...(found && { timeline: found.timeline, view: toOneLine(formatViewCommand(found.file)) }),
    evidence: check.evidence.filter((seq) => seqs.includes(seq)),
    ...(seqs.length > 0 && { conversation: seqs }),
  };
}
