import { parseUrl } from '../../../../spec/addresses.js';
import type { Side } from '../../../../spec/requirement-types.js';
import type { Mark } from '../../../../spec/signs.js';
import { toOneLine } from '../../../../spec/visible.js';
import type { Exchange } from '../../../../spec/vocabulary.js';
import type { Cause, CheckResult, Outcome } from '../../../causes/check-result.js';
import { readCommandName } from '../../../common/command-name.js';
import { shortenBodies } from '../../../common/kept-bodies.js';
import { shorten } from '../../../common/text.js';
import { explainFinding } from '../../../explain/explain-finding.js';
import { formatExplanation } from '../../../explain/format-explanation.js';
import type { Race } from '../../../explore/reproduce/race.js';
import { formatViewCommand, readRunsBeside } from '../../../explore/reproduce/race-page.js';
import { formatRowName, listParts, type ReportPart, type ReportRow } from '../../parts.js';
import { formatColophon, formatSummary, formatTargetName, VERDICTS } from '../../verdict.js';
import type { ReportView } from '../../view.js';

/** A report for studio, which escapes the texts. */
export interface ReportPage {
  kind: 'report';
  title: string;
  /** The judged target. */
  name: string;
  verdict: { words: string; mark: Mark };
  /** `3 failed, 120 passed, … in 4.2 s`. */
  summary: string;
  colophon: string;
  stopped?: string;
  /** Coverage of requirements. */
  tested: { tested: number; total: number };
  causes: Cause[];
  /** What `taskdouble explain` says, by the rule of a cause. */
  explanations: Record<string, string>;
  checks: PageCheck[];
  parts: PagePart[];
  exchanges: Exchange[];
  /** Address for repeated requests; absent if the service is gone or unknown. */
  baseUrl?: string;
  /** Number of checks whose exchanges are left out to limit the size; absent if none. */
  cut?: number;
}

export interface PageCheck
  extends Pick<CheckResult, 'id' | 'suite' | 'title' | 'message' | 'covers' | 'rule' | 'again'> {
  mark: Outcome | 'known';
  side: Side;
  /** Reason and expiry of a known failure. */
  known?: string;
  /** For a failure of a search: its runs, if they are not too large. */
  race?: Race;
  /** For a failure with a race file whose runs are not on the page: the command that shows it step by step. */
  view?: string;
  /** For a failure of a search: the run in lines. */
  timeline?: string[];
  /** `seq` of the exchanges on the page that show the outcome. */
  evidence: number[];
  /** `seq` of `evidence` and of earlier exchanges about the same tasks, oldest first; absent if there are none. */
  conversation?: number[];
}

export interface PagePart extends Pick<ReportPart, 'title' | 'note'> {
  rows: (Omit<ReportRow, 'name'> & { name: string })[];
}

/** Failures are shown with their conversation, other checks only with their evidence. */
const FAILED = { exchanges: 12, conversation: 30, body: 6000 };
const OTHERS = { exchanges: 3, conversation: 0, body: 800 };
const LONGEST_MESSAGE = 4000;
/** Most characters of the names of a row. */
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

/** The report for studio, with as many exchanges as fit. */
export function createReportPage(view: ReportView): ReportPage {
  const { report, verdict } = view;
  const { tested, total } = report.requirements;
  const kept = new PageExchanges();
  const examples = new Set(view.causes.map(({ cause }) => cause.example));
  const rankCheck = (check: CheckResult) => (examples.has(check.id) ? -1 : ORDER[readMark(check)]);
  // Every failure gets its deciding exchange before any gets its conversation.
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
    causes: view.causes.map(({ cause }) => cause),
    explanations: explainCauses(view),
    // Failures first, else in the order of the report.
    checks: checks.sort((one, other) => ORDER[one.mark] - ORDER[other.mark]),
    parts: listParts(report)
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
    ...(client === undefined && parseUrl(base_url) && { baseUrl: base_url }),
    ...(kept.cut > 0 && { cut: kept.cut }),
  };
}

/** Most characters of all explanations of a page. */
const MOST_EXPLAINED = 60_000;

/** The causes that explain most come first, and so do their rules. */
function explainCauses({ causes }: ReportView): Record<string, string> {
  const explanations: Record<string, string> = {};
  const name = readCommandName();
  let room = MOST_EXPLAINED;
  for (const rule of new Set(causes.map(({ cause }) => cause.rule))) {
    const explanation = explainFinding(rule);
    const text = explanation && formatExplanation(explanation, name);
    if (text === undefined || text.length > room) continue;
    explanations[rule] = text;
    room -= text.length;
  }
  return explanations;
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
    ...(found && { timeline: found.timeline, ...readRace(found.file, kept) }),
    evidence: check.evidence.filter((seq) => seqs.includes(seq)),
    ...(seqs.length > 0 && { conversation: seqs }),
  };
}

function readRace(file: string, kept: PageExchanges): Pick<PageCheck, 'race' | 'view'> {
  const race = readRunsBeside(file, kept.raceRoom);
  if (race === undefined) return { view: toOneLine(formatViewCommand(file)) };
  kept.raceRoom -= JSON.stringify(race).length;
  return { race };
}

/** Most characters of the runs of all races of a page, as JSON. */
const MOST_RACES = 800_000;
/** Most characters of all exchanges of a page as JSON: a full run with script, checks and summary stays below 2 MB. */
const MOST_CHARACTERS = 800_000;
/** The exchanges of a page. The first to be added are kept. */
class PageExchanges {
  readonly #kept = new Map<number, Exchange>();
  #room = MOST_CHARACTERS;
  /** Number of checks whose exchanges were left out. */
  cut = 0;
  /** Characters that are left for the runs of races. */
  raceRoom = MOST_RACES;

  get exchanges(): Exchange[] {
    return [...this.#kept.values()].sort((one, other) => one.seq - other.seq);
  }

  /**
   * Keeps `all`, or if there is no room the last of `evidence`, with bodies of at most `longestBody` characters. Returns the
   * `seq` of the kept exchanges.
   */
  add(all: readonly Exchange[], evidence: readonly Exchange[], longestBody: number): number[] {
    if (all.length === 0) return [];
    for (const some of [all, evidence, evidence.slice(-1)])
      if (this.#keep(some, longestBody)) {
        if (some.length < all.length) this.cut++;
        return some.map(({ seq }) => seq);
      }
    this.cut++;
    return [];
  }

  #keep(exchanges: readonly Exchange[], longestBody: number): boolean {
    const added = exchanges
      .filter(({ seq }) => !this.#kept.has(seq))
      .map((each) => shortenBodies(each, longestBody));
    const characters = added.reduce((sum, each) => sum + JSON.stringify(each).length, 0);
    if (characters > this.#room) return false;
    this.#room -= characters;
    for (const each of added) this.#kept.set(each.seq, each);
    return true;
  }
}
