import { openPoints, requirements } from '../../spec/generated/documents.js';
import type { OpenPoint, Requirement } from '../../spec/requirement-types.js';
import type { Mark } from '../../spec/signs.js';
import { toOneLine } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { readSubject } from '../causes/causes.js';
import type { Cause, CheckResult, CheckSuite, Outcome } from '../causes/check-result.js';
import { groupBy } from '../common/group-by.js';
import { formatCount, formatTime } from '../common/text.js';
import { formatCurl } from '../conversation/curl.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import { formatViewCommand } from '../explore/reproduce/race-page.js';
import { describePresence } from '../service/runner/presence.js';
import type { ConformReport, FoundFailure, SequenceSearchResult } from '../service/runner/result.js';
import { formatExchange } from './exchange-text.js';
import { describeStages } from './stages.js';
import {
  decideVerdict,
  isFailing,
  listFailures,
  listKnownFailures,
  type ReadingOptions,
  type ReportVerdict,
} from './verdict.js';

/** One row of a part. Formats escape its texts. */
interface ReportRow {
  mark?: Mark;
  /** The subject; several names if they share a text. */
  name?: string | readonly string[];
  text: string;
  more?: string;
}

/** A section of a report other than the failures. */
export interface ReportPart {
  title: string;
  note?: string;
  rows: ReportRow[];
  /** The rows of a summary. Default: all. */
  brief?: ReportRow[];
  /** Always shown, even without room: it fails the run, or says what the run is worth. */
  isEssential?: boolean;
}

/** A result that decides the run, as test reports list it: a check, a problem with the baseline, an early end. */
export interface TestPoint {
  suite: CheckSuite | 'baseline' | 'run';
  name: string;
  title: string;
  /** `known`: failed, and listed in the baseline. */
  outcome: Outcome | 'known';
  fails: boolean;
  message: string;
  check?: CheckResult;
}

/** A cause with at least one failure that is not known. */
export interface ShownCause {
  cause: Cause;
  example: CheckResult;
  /** The defect, then its ids: `A call got no reply. (replies/each-call, TOOL-10; explains 12 of 31 failures)`. */
  head: string;
  /** What `head` does not say about the example. */
  shown: string;
}

/** How much of a failure is shown: the number of exchanges (the last ones, which decide), and characters of each body. */
export interface EvidenceBounds {
  exchanges: number;
  body: number;
}

/** Evidence of a failure: the requirement, and the exchanges as lines with the command that repeats each. */
interface ShownEvidence {
  requirement: string | undefined;
  exchanges: { lines: string[]; curl: string | undefined }[];
  /** The command that reproduces it, if one request does not. */
  again: string | undefined;
  /** For a failure with a race file: the command that shows it step by step. */
  view: string | undefined;
}

/** Most characters of names of flaky checks in a summary. */
const LONGEST_NAMES = 240;

/** The name of a row: the first of several names, up to `most` characters, and the number of names left out. */
export function formatRowName({ name }: ReportRow, most: number): string | undefined {
  if (name === undefined || typeof name === 'string') return name;
  let shown = 0;
  while (shown < name.length && name.slice(0, shown + 1).join(', ').length <= most) shown++;
  const left = name.length - shown;
  if (shown === 0) return formatCount(left, 'check');
  return name.slice(0, shown).join(', ') + (left > 0 ? ` and ${left} more` : '');
}

const hasRows = ({ rows }: ReportPart) => rows.length > 0;
const compareSeq = (one: Exchange, other: Exchange) => one.seq - other.seq;

const REQUIREMENTS: ReadonlyMap<string, Requirement> = new Map(requirements.map((each) => [each.id, each]));
const OPEN_POINTS: ReadonlyMap<string, OpenPoint> = new Map(openPoints.map((each) => [each.id, each]));

/** A report as all formats show it: everything derived from the report is derived here. */
export class ReportView {
  readonly verdict: ReportVerdict;
  /** Failures of the target. */
  readonly failures: CheckResult[];
  /** Their causes, in the order of the report. */
  readonly causes: ShownCause[];
  readonly known: CheckResult[];
  readonly suites: string[];
  readonly #exchanges: ReadonlyMap<number, Exchange>;
  readonly #tasks = new Map<Exchange, string | undefined>();

  constructor(
    readonly report: ConformReport,
    readonly options: ReadingOptions = {},
  ) {
    this.verdict = decideVerdict(report, options);
    this.failures = listFailures(report, options);
    this.known = listKnownFailures(report);
    this.causes = this.#readCauses();
    this.suites = [...new Set(report.checks.map(({ suite }) => suite))];
    this.#exchanges = new Map(report.exchanges.map((exchange) => [exchange.seq, exchange]));
  }

  #readCauses(): ShownCause[] {
    const { checks, causes } = this.report;
    const byId = new Map(checks.map((check) => [check.id, check]));
    const failed = checks.filter(({ outcome }) => outcome === 'failed').length;
    const failing = new Set(this.failures.map(({ id }) => id));
    return causes
      .filter((cause) => cause.checks.some((id) => failing.has(id)))
      .map((cause) => {
        const { title, rule, explains, requirements } = cause;
        const ids = [...new Set([rule, ...requirements.slice(0, 1)])].join(', ');
        const share = explains === failed ? 'all' : `${explains} of`;
        const explained =
          failed === causes.length ? '' : `; explains ${share} ${formatCount(failed, 'failure')}`;
        const example = byId.get(cause.example)!;
        // If `head` is the message, the title of the check has more information.
        const isMessage = toOneLine(example.message).startsWith(title.replace(/…$/, ''));
        const shown = isMessage || example.title === title ? example.title : example.message;
        return { cause, example, head: `${title} (${ids}${explained})`, shown };
      });
  }

  findCause({ id }: CheckResult): ShownCause | undefined {
    return this.causes.find(({ cause }) => cause.checks.includes(id));
  }

  /** Failures without a cause: inconclusive and flaky checks in strict mode. */
  get otherFailures(): CheckResult[] {
    return this.failures.filter(({ outcome }) => outcome !== 'failed');
  }

  get points(): TestPoint[] {
    const { checks, baseline, stopped } = this.report;
    const createFailedPoint = (suite: 'baseline' | 'run', name: string, message: string): TestPoint => {
      return { suite, name, title: name, outcome: 'failed', fails: true, message };
    };
    return [
      ...checks.map((check) => this.#createPoint(check)),
      ...(baseline?.problems ?? []).map((problem) => createFailedPoint('baseline', problem, problem)),
      ...(stopped === undefined ? [] : [createFailedPoint('run', 'the run reached its end', stopped)]),
    ];
  }

  #createPoint(check: CheckResult): TestPoint {
    const { id, suite, title, outcome, known } = check;
    const why = known ? `known until ${known.expires}: ${known.reason}; ` : '';
    return {
      suite,
      name: id,
      title,
      outcome: known ? 'known' : outcome,
      fails: isFailing(check, this.options),
      message: why + check.message,
      check,
    };
  }

  /** Known failures, flaky checks, and undecided checks by their common reason. */
  get otherChecks(): ReportPart[] {
    const known = this.known.map(({ id, known: why }) => {
      return { mark: 'known' as const, name: id, text: `${why!.reason} (until ${why!.expires})` };
    });
    const flaky = this.#listFlakyRows();
    const parts: ReportPart[] = [
      { title: 'Known failures', rows: known },
      {
        title: 'Flaky',
        note: 'failed, then passed on a retry',
        rows: flaky,
        brief: flaky.map((row) => ({ ...row, name: formatRowName(row, LONGEST_NAMES)! })),
        isEssential: true,
      },
      { title: 'Errors of taskdouble', rows: this.#groupByReason('error'), isEssential: true },
      { title: 'Inconclusive', rows: this.#groupByReason('inconclusive') },
      { title: 'Skipped', rows: this.#groupByReason('skipped') },
    ];
    return parts.filter(hasRows);
  }

  /** Flaky checks by what failed in them, the most frequent first. */
  #listFlakyRows(): ReportRow[] {
    const found = this.report.checks.filter(
      (check) => check.outcome === 'flaky' && !isFailing(check, this.options),
    );
    return groupByFrequency(found, readSubject).map(([, checks]) => {
      return { mark: 'flaky', name: checks.map(({ id }) => id), text: toOneLine(checks[0]!.message) };
    });
  }

  #groupByReason(mark: 'error' | 'inconclusive' | 'skipped'): ReportRow[] {
    const found = this.report.checks.filter(
      (check) => check.outcome === mark && (mark === 'error' || !isFailing(check, this.options)),
    );
    return groupByFrequency(found, ({ message }) => toOneLine(message)).map(([text, checks]) => {
      return { mark, name: checks.map(({ id }) => id), text };
    });
  }

  /** Sections that do not concern single checks. */
  get parts(): ReportPart[] {
    const { baseline, gaps = [], requirements: covered } = this.report;
    const problems = (baseline?.problems ?? []).map((text) => ({ mark: 'failed' as const, text }));
    const dialect = this.#listDialectRows();
    const isUnusual = dialect.some(({ mark }) => mark === 'unusual');
    const untested = groupByFrequency(covered.untested, ({ why }) => why).map(([text, group]) => {
      return { name: group.map(({ id }) => id), text };
    });
    return [
      ...[
        ...this.#listOperationParts(),
        { title: 'Baseline', rows: problems, isEssential: true },
        { title: 'Not judged', rows: gaps.map((text) => ({ text })), isEssential: true },
        { title: 'Advice', note: 'fails nothing', rows: this.#listAdviceRows() },
        {
          title: 'Dialect observed',
          ...(isUnusual ? { note: '* differs from what the mock does by default' } : {}),
          rows: dialect,
          brief: dialect.filter(({ mark }) => mark === 'unusual'),
        },
        this.#createSearchPart(),
        {
          title: 'Differences that no rule decides',
          note: 'fails nothing',
          rows: this.#listObservationRows(),
        },
      ].filter(hasRows),
      // A search, a replay and a selection of checks without requirements have no coverage.
      ...(covered.total === 0
        ? []
        : [{ title: 'Requirements', note: `${covered.tested} of ${covered.total} tested`, rows: untested }]),
    ];
  }

  /** The existing operations if some are missing, and the next step if something fails. */
  #listOperationParts(): ReportPart[] {
    const { operations } = this.report;
    const order = describeStages(this.report);
    return [
      ...(operations
        ? [
            {
              title: describePresence(operations),
              rows: [{ text: `add this to the configuration: lacks: [${operations.lacks.join(', ')}]` }],
              isEssential: true,
            },
          ]
        : []),
      ...(order === undefined
        ? []
        : [{ title: 'Order of work', rows: [{ text: order }], isEssential: true }]),
    ];
  }

  /** Advice by rule, the most frequent first. */
  #listAdviceRows(): ReportRow[] {
    const { advice = [] } = this.report;
    return groupByFrequency(advice, ({ rule }) => rule).map(([rule, [first, ...others]]) => {
      const { scenario, message } = first!;
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      const where = scenario === undefined ? '' : `, in ${scenario}`;
      return { mark: 'advice', name: `${rule}${where}${more}`, text: message };
    });
  }

  #listDialectRows(): ReportRow[] {
    return Object.entries(this.report.dialect).map(([id, chosen]) => {
      const point = OPEN_POINTS.get(id);
      const choice = String(chosen);
      const unit = point?.kind === 'number' ? ` ${point.choices.unit}` : '';
      const meanings: Readonly<Record<string, string>> = point?.kind === 'choice' ? point.choices : {};
      const meaning = Object.hasOwn(meanings, choice) ? meanings[choice]! : (point?.question ?? '');
      const mark = String(point?.default) === choice ? {} : { mark: 'unusual' as const };
      return { ...mark, name: id, text: choice + unit, more: meaning };
    });
  }

  /** Coverage and nondeterminism of a search in words; empty for other runs. */
  get searched(): string[] {
    const { searched, sequences } = this.report;
    if (sequences !== undefined) return [describeSequences(sequences)];
    if (searched === undefined) return [];
    const { schedules, distinct, not_triggered, repeated, nondeterministic, statement, likely_source } =
      searched;
    const runs = `${formatCount(schedules, 'schedule')}: ${distinct} distinct, ${not_triggered} not triggered; ${repeated} run twice, ${nondeterministic.length} of them nondeterministic`;
    // The JSON report has the differences.
    return [
      statement,
      `${runs}.`,
      ...(likely_source === undefined ? [] : [`Nondeterministic: ${likely_source}`]),
    ];
  }

  /** Differences between a service and its model that violate no rule. */
  #listObservationRows(): ReportRow[] {
    return (this.report.sequences?.observations ?? []).map((each) => {
      const { operation, condition, about, expected, actual, seen } = each;
      const name = `${operation}${condition === 'plain' ? '' : ` (${condition})`}`;
      const what = about === 'status' ? '' : `${about}: `;
      return {
        mark: 'advice',
        name,
        text: `${what}expected ${expected}, got ${actual} (seen ${seen} times)`,
      };
    });
  }

  #createSearchPart(): ReportPart {
    const rows = this.searched.map((text) => ({ text }));
    // The counts matter if some schedules were nondeterministic.
    const brief = rows.filter((_, at) => at !== 1 || rows.length > 2);
    return { title: 'Searched', rows, brief, isEssential: true };
  }

  readEvidence(check: CheckResult, { exchanges, body }: EvidenceBounds): ShownEvidence {
    const requirement = REQUIREMENTS.get(check.covers[0] ?? '');
    const found = this.report.failures?.find(({ id }) => id === check.id);
    return {
      requirement: requirement && `${requirement.id} (${requirement.section}): ${requirement.rule}`,
      exchanges: found
        ? [formatSighting(found), ...found.timeline].map((line) => ({ lines: [line], curl: undefined }))
        : this.listExchanges(check, exchanges).map((exchange) => {
            return { lines: formatExchange(exchange, body), curl: this.formatCurl(exchange) };
          }),
      again: check.again === undefined ? undefined : toOneLine(check.again),
      view: found && toOneLine(formatViewCommand(found.file)),
    };
  }

  formatEvidence(check: CheckResult, bounds: EvidenceBounds): string {
    const { requirement, exchanges, again, view } = this.readEvidence(check, bounds);
    const lines = exchanges.flatMap((each) => ['', ...each.lines, each.curl]);
    return [requirement, ...lines, again && `See it again: ${again}`, view && `See it step by step: ${view}`]
      .filter((line) => line !== undefined)
      .join('\n');
  }

  /** The command that repeats a request; undefined for a client or a journal, whose service is gone or unknown. */
  formatCurl(exchange: Exchange): string | undefined {
    const { base_url, client } = this.report.target;
    return client === undefined && URL.canParse(base_url) ? formatCurl(exchange, base_url) : undefined;
  }

  /** The last `most` exchanges of the evidence. */
  listExchanges({ evidence }: CheckResult, most: number): Exchange[] {
    return evidence.flatMap((seq) => this.#exchanges.get(seq) ?? []).slice(-most);
  }

  /** These exchanges and earlier ones about the same tasks, at most `most`. */
  listConversation(shown: readonly Exchange[], most: number): Exchange[] {
    const around = new Set<Exchange>();
    for (const exchange of shown) for (const each of this.#listBefore(exchange)) around.add(each);
    for (const each of shown) around.delete(each);
    const room = Math.max(0, most - shown.length);
    const context = room === 0 ? [] : [...around].sort(compareSeq).slice(-room);
    return [...context, ...shown].sort(compareSeq);
  }

  /** Searches back to the creation of the task: each run of a client uses the same ids. */
  #listBefore(exchange: Exchange): Exchange[] {
    const { exchanges } = this.report;
    const task = this.#readTask(exchange);
    const found: Exchange[] = [];
    if (task === undefined) return found;
    for (let at = exchanges.indexOf(exchange); at >= 0; at--) {
      const earlier = exchanges[at]!;
      if (this.#readTask(earlier) !== task) continue;
      found.push(earlier);
      if (earlier.kind === 'create') break;
    }
    return found;
  }

  #readTask(exchange: Exchange): string | undefined {
    if (!this.#tasks.has(exchange)) this.#tasks.set(exchange, new ReadExchange(exchange).task);
    return this.#tasks.get(exchange);
  }
}

function describeSequences({ sequences, requests, coverage, stopped }: SequenceSearchResult): string {
  const formatShare = (covered: number, of: number) =>
    `${covered} of ${of} (${Math.round((100 * covered) / Math.max(1, of))} %)`;
  const all = `${formatCount(sequences, 'generated sequence')} of ${formatCount(requests, 'request')}; ${formatShare(coverage.cells, coverage.of)} of the combinations of operation, state and condition that could be drawn, ${formatShare(coverage.pairs, coverage.of_pairs)} of the pairs of operations, one after the other, and ${formatShare(coverage.states, coverage.of_states)} of the pairs of an operation and a state`;
  return stopped === undefined ? `${all}.` : `${all}. Ended early: ${stopped}`;
}

function formatSighting({ schedule, seconds, seen, scenarios }: FoundFailure): string {
  const where = scenarios.length === 1 ? '' : `, in ${scenarios.join(', ')}`;
  return `Found in schedule ${schedule} after ${formatTime(1000 * seconds)}, seen in ${formatCount(seen, 'schedule')}${where}`;
}

/** The most frequent group first. */
function groupByFrequency<T>(items: readonly T[], readKey: (item: T) => string): [key: string, items: T[]][] {
  return [...groupBy(items, readKey)].sort(([, one], [, other]) => other.length - one.length);
}
