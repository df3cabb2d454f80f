import { openPoints, requirements } from '../../spec/generated/documents.js';
import type { OpenPoint, Requirement } from '../../spec/requirement-types.js';
import type { Mark } from '../../spec/signs.js';
import { oneLine } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { Cause } from '../causes/cause.js';
import { subjectOf } from '../causes/causes.js';
import { groupBy } from '../common/group-by.js';
import { count, showTime } from '../common/text.js';
import { curlOf } from '../conversation/curl.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import { viewLine } from '../explore/reproduce/race-page.js';
import { describePresence } from '../service/runner/presence.js';
import type {
  CheckResult,
  CheckSuite,
  ConformReport,
  FoundFailure,
  Outcome,
  SearchedSequences,
} from '../service/runner/result.js';
import { exchangeLines } from './exchange-text.js';
import { orderOfWork } from './stages.js';
import { fails, failuresOf, knownOf, type ReadingOptions, type ReportVerdict, verdictOf } from './verdict.js';

/** One line of a part. Its texts are as they came: each format escapes them. */
export interface ReportRow {
  mark?: Mark;
  /** What it is about; of names that share a text, all of them. */
  name?: string | readonly string[];
  text: string;
  more?: string;
}

/** What a report says beside the failures. */
export interface ReportPart {
  title: string;
  note?: string;
  rows: ReportRow[];
  /** Of them what a summary shows; all unless given. */
  brief?: ReportRow[];
  /** Shown however little room there is: it fails the run, or says what the run is worth. */
  isEssential?: boolean;
}

/** What decides the run, as test reports list it: a check, a problem with the baseline, an early end. */
export interface TestPoint {
  suite: CheckSuite | 'baseline' | 'run';
  name: string;
  title: string;
  /** `known`: failed, and the baseline has it. */
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
  /** What the heading does not say of the example. */
  shown: string;
}

/** How much of a failure is shown: its last exchanges, which decide, and so many characters of each body. */
export interface EvidenceBounds {
  exchanges: number;
  body: number;
}

/** What shows a failure: the requirement in words, the exchanges as lines with the line that sends each again. */
export interface ShownEvidence {
  requirement: string | undefined;
  exchanges: { lines: string[]; curl: string | undefined }[];
  /** The line to type to see it again, where a request does not show it. */
  again: string | undefined;
  /** Of a failure with a race file: the line to type to see it step by step. */
  view: string | undefined;
}

/** Names of flaky checks in a summary, characters. */
const LONGEST_NAMES = 240;

/** The name of a row: the first of several names as far as `most` characters last, and how many are left out. */
export function nameOfRow({ name }: ReportRow, most: number): string | undefined {
  if (name === undefined || typeof name === 'string') return name;
  let shown = 0;
  while (shown < name.length && name.slice(0, shown + 1).join(', ').length <= most) shown++;
  const left = name.length - shown;
  if (shown === 0) return count(left, 'check');
  return name.slice(0, shown).join(', ') + (left > 0 ? ` and ${left} more` : '');
}

const hasRows = ({ rows }: ReportPart) => rows.length > 0;
const bySeq = (one: Exchange, other: Exchange) => one.seq - other.seq;

const REQUIREMENTS: ReadonlyMap<string, Requirement> = new Map(requirements.map((each) => [each.id, each]));
const OPEN_POINTS: ReadonlyMap<string, OpenPoint> = new Map(openPoints.map((each) => [each.id, each]));

/** A report as all formats show it. They only render: what is derived from the report is derived here. */
export class ReportView {
  readonly verdict: ReportVerdict;
  /** Checks in which the target fails the run. */
  readonly failures: CheckResult[];
  /** What probably causes them, what explains most first. */
  readonly causes: ShownCause[];
  readonly known: CheckResult[];
  readonly suites: string[];
  readonly #exchanges: ReadonlyMap<number, Exchange>;
  readonly #tasks = new Map<Exchange, string | undefined>();

  constructor(
    readonly report: ConformReport,
    readonly options: ReadingOptions = {},
  ) {
    this.verdict = verdictOf(report, options);
    this.failures = failuresOf(report, options);
    this.known = knownOf(report);
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
        const explained = failed === causes.length ? '' : `; explains ${share} ${count(failed, 'failure')}`;
        const example = byId.get(cause.example)!;
        // Where the heading is the message, the title of the check says more.
        const isMessage = oneLine(example.message).startsWith(title.replace(/…$/, ''));
        const shown = isMessage || example.title === title ? example.title : example.message;
        return { cause, example, head: `${title} (${ids}${explained})`, shown };
      });
  }

  /** The cause that a failed check belongs to. */
  causeOf({ id }: CheckResult): ShownCause | undefined {
    return this.causes.find(({ cause }) => cause.checks.includes(id));
  }

  /** Failures that belong to no cause: inconclusive and flaky checks, strictly. */
  get otherFailures(): CheckResult[] {
    return this.failures.filter(({ outcome }) => outcome !== 'failed');
  }

  get points(): TestPoint[] {
    const { checks, baseline, stopped } = this.report;
    const failed = (suite: 'baseline' | 'run', name: string, message: string): TestPoint => {
      return { suite, name, title: name, outcome: 'failed', fails: true, message };
    };
    return [
      ...checks.map((check) => this.#pointOf(check)),
      ...(baseline?.problems ?? []).map((problem) => failed('baseline', problem, problem)),
      ...(stopped === undefined ? [] : [failed('run', 'the run reached its end', stopped)]),
    ];
  }

  #pointOf(check: CheckResult): TestPoint {
    const { id, suite, title, outcome, known } = check;
    const why = known ? `known until ${known.expires}: ${known.reason}; ` : '';
    return {
      suite,
      name: id,
      title,
      outcome: known ? 'known' : outcome,
      fails: fails(check, this.options),
      message: why + check.message,
      check,
    };
  }

  /** Checks that are known to fail, those that are flaky, and those that were not decided by the reason that they share. */
  get otherChecks(): ReportPart[] {
    const known = this.known.map(({ id, known: why }) => {
      return { mark: 'known' as const, name: id, text: `${why!.reason} (until ${why!.expires})` };
    });
    const flaky = this.#flakyRows();
    const parts: ReportPart[] = [
      { title: 'Known failures', rows: known },
      {
        title: 'Flaky',
        note: 'failed, and passed when tried again',
        rows: flaky,
        brief: flaky.map((row) => ({ ...row, name: nameOfRow(row, LONGEST_NAMES)! })),
        isEssential: true,
      },
      { title: 'Errors of taskdouble', rows: this.#byReason('error'), isEssential: true },
      { title: 'Inconclusive', rows: this.#byReason('inconclusive') },
      { title: 'Skipped', rows: this.#byReason('skipped') },
    ];
    return parts.filter(hasRows);
  }

  /** Flaky checks by what failed in them, most of all first. */
  #flakyRows(): ReportRow[] {
    const found = this.report.checks.filter(
      (check) => check.outcome === 'flaky' && !fails(check, this.options),
    );
    return tally(found, subjectOf).map(([, checks]) => {
      return { mark: 'flaky', name: checks.map(({ id }) => id), text: oneLine(checks[0]!.message) };
    });
  }

  #byReason(mark: 'error' | 'inconclusive' | 'skipped'): ReportRow[] {
    const found = this.report.checks.filter(
      (check) => check.outcome === mark && (mark === 'error' || !fails(check, this.options)),
    );
    return tally(found, ({ message }) => oneLine(message)).map(([text, checks]) => {
      return { mark, name: checks.map(({ id }) => id), text };
    });
  }

  /** What is not about single checks. */
  get parts(): ReportPart[] {
    const { baseline, gaps = [], requirements: covered } = this.report;
    const problems = (baseline?.problems ?? []).map((text) => ({ mark: 'failed' as const, text }));
    const dialect = this.#dialectRows();
    const isUnusual = dialect.some(({ mark }) => mark === 'unusual');
    const untested = tally(covered.untested, ({ why }) => why).map(([text, group]) => {
      return { name: group.map(({ id }) => id), text };
    });
    return [
      ...[
        ...this.#operationParts(),
        { title: 'Baseline', rows: problems, isEssential: true },
        { title: 'Not judged', rows: gaps.map((text) => ({ text })), isEssential: true },
        { title: 'Advice', note: 'fails nothing', rows: this.#adviceRows() },
        {
          title: 'Dialect observed',
          ...(isUnusual ? { note: '* differs from what the mock does by default' } : {}),
          rows: dialect,
          brief: dialect.filter(({ mark }) => mark === 'unusual'),
        },
        this.#searchedPart(),
        { title: 'Differences that no rule decides', note: 'fails nothing', rows: this.#observationRows() },
      ].filter(hasRows),
      // A search, a replay and a selection of checks that cover none say nothing about requirements.
      ...(covered.total === 0
        ? []
        : [{ title: 'Requirements', note: `${covered.tested} of ${covered.total} tested`, rows: untested }]),
    ];
  }

  /** Which operations there are, where some are missing, and what to do next, where something fails. */
  #operationParts(): ReportPart[] {
    const { operations } = this.report;
    const order = orderOfWork(this.report);
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

  /** The advice by the rule that it comes from, the most frequent first. */
  #adviceRows(): ReportRow[] {
    const { advice = [] } = this.report;
    return tally(advice, ({ rule }) => rule).map(([rule, [first, ...others]]) => {
      const { scenario, message } = first!;
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      const where = scenario === undefined ? '' : `, in ${scenario}`;
      return { mark: 'advice', name: `${rule}${where}${more}`, text: message };
    });
  }

  /** The choices that the target was seen to make. */
  #dialectRows(): ReportRow[] {
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

  /** What a search covered and where it was not the same twice, in words; nothing of other runs. */
  get searched(): string[] {
    const { searched, sequences } = this.report;
    if (sequences !== undefined) return [describeSequences(sequences)];
    if (searched === undefined) return [];
    const { schedules, distinct, not_triggered, repeated, nondeterministic, statement, likely_source } =
      searched;
    const runs = `${count(schedules, 'schedule')}: ${distinct} distinct, ${not_triggered} not triggered; ${repeated} run twice, ${nondeterministic.length} of them nondeterministic`;
    // How they differ is in JSON.
    return [
      statement,
      `${runs}.`,
      ...(likely_source === undefined ? [] : [`Nondeterministic: ${likely_source}`]),
    ];
  }

  /** Where a service differs from its model, without breaking a rule. */
  #observationRows(): ReportRow[] {
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

  #searchedPart(): ReportPart {
    const rows = this.searched.map((text) => ({ text }));
    // The counts matter where not every schedule ran the same twice.
    const brief = rows.filter((_, at) => at !== 1 || rows.length > 2);
    return { title: 'Searched', rows, brief, isEssential: true };
  }

  evidenceOf(check: CheckResult, { exchanges, body }: EvidenceBounds): ShownEvidence {
    const requirement = REQUIREMENTS.get(check.covers[0] ?? '');
    const found = this.report.failures?.find(({ id }) => id === check.id);
    return {
      requirement: requirement && `${requirement.id} (${requirement.section}): ${requirement.rule}`,
      exchanges: found
        ? [foundLine(found), ...found.timeline].map((line) => ({ lines: [line], curl: undefined }))
        : this.exchangesOf(check, exchanges).map((exchange) => {
            return { lines: exchangeLines(exchange, body), curl: this.curlOf(exchange) };
          }),
      again: check.again === undefined ? undefined : oneLine(check.again),
      view: found && oneLine(viewLine(found.file)),
    };
  }

  /** The same as one text. */
  evidenceText(check: CheckResult, bounds: EvidenceBounds): string {
    const { requirement, exchanges, again, view } = this.evidenceOf(check, bounds);
    const lines = exchanges.flatMap((each) => ['', ...each.lines, each.curl]);
    return [requirement, ...lines, again && `See it again: ${again}`, view && `See it step by step: ${view}`]
      .filter((line) => line !== undefined)
      .join('\n');
  }

  /** The line that sends a request again. None for those of a client or of a journal: the service is gone, or not known. */
  curlOf(exchange: Exchange): string | undefined {
    const { base_url, client } = this.report.target;
    return client === undefined && URL.canParse(base_url) ? curlOf(exchange, base_url) : undefined;
  }

  /** What shows the outcome of a check: the last `most` of it. */
  exchangesOf({ evidence }: CheckResult, most: number): Exchange[] {
    return evidence.flatMap((seq) => this.#exchanges.get(seq) ?? []).slice(-most);
  }

  /** These with what was said about their tasks before, `most` exchanges at most. */
  conversationAround(shown: readonly Exchange[], most: number): Exchange[] {
    const around = new Set<Exchange>();
    for (const exchange of shown) for (const each of this.#before(exchange)) around.add(each);
    for (const each of shown) around.delete(each);
    const room = Math.max(0, most - shown.length);
    const context = room === 0 ? [] : [...around].sort(bySeq).slice(-room);
    return [...context, ...shown].sort(bySeq);
  }

  /** Back to where the task was created: runs of a client begin anew, with the same ids. */
  #before(exchange: Exchange): Exchange[] {
    const { exchanges } = this.report;
    const task = this.#taskOf(exchange);
    const found: Exchange[] = [];
    if (task === undefined) return found;
    for (let at = exchanges.indexOf(exchange); at >= 0; at--) {
      const earlier = exchanges[at]!;
      if (this.#taskOf(earlier) !== task) continue;
      found.push(earlier);
      if (earlier.kind === 'create') break;
    }
    return found;
  }

  #taskOf(exchange: Exchange): string | undefined {
    if (!this.#tasks.has(exchange)) this.#tasks.set(exchange, new ReadExchange(exchange).task);
    return this.#tasks.get(exchange);
  }
}

/** How far a search with generated sequences went. */
function describeSequences({ sequences, requests, coverage, stopped }: SearchedSequences): string {
  const share = Math.round((100 * coverage.cells) / Math.max(1, coverage.of));
  const all = `${count(sequences, 'generated sequence')} of ${count(requests, 'request')}; ${coverage.cells} of ${coverage.of} (${share} %) of the combinations of operation, state and condition that could be drawn`;
  return stopped === undefined ? `${all}.` : `${all}. Ended early: ${stopped}`;
}

/** When, how often and where a search found it. */
function foundLine({ schedule, seconds, seen, scenarios }: FoundFailure): string {
  const where = scenarios.length === 1 ? '' : `, in ${scenarios.join(', ')}`;
  return `Found in schedule ${schedule} after ${showTime(1000 * seconds)}, seen in ${count(seen, 'schedule')}${where}`;
}

/** The items by their key, the most frequent first. */
function tally<T>(items: readonly T[], keyOf: (item: T) => string): [key: string, items: T[]][] {
  return [...groupBy(items, keyOf)].sort(([, one], [, other]) => other.length - one.length);
}
