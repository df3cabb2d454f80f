import { parseUrl } from '../../spec/addresses.js';
import { requirements } from '../../spec/generated/documents.js';
import type { Requirement } from '../../spec/requirement-types.js';
import { toOneLine, toVisible } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { Cause, CheckResult, CheckSuite, Outcome } from '../causes/check-result.js';
import { formatCount, formatTime, shorten } from '../common/text.js';
import { formatCurl } from '../conversation/curl.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import { formatViewCommand } from '../explore/reproduce/race-page.js';
import type { ConformReport, FoundFailure } from '../service/runner/result.js';
import {
  decideVerdict,
  isFailing,
  listFailures,
  listKnownFailures,
  type ReadingOptions,
  type ReportVerdict,
} from './verdict.js';

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
  requirement: Requirement | undefined;
  exchanges: { lines: string[]; curl: string | undefined }[];
  /** The command that reproduces it, if one request does not. */
  again: string | undefined;
  /** For a failure with a race file: the command that shows it step by step. */
  view: string | undefined;
}

const compareSeq = (one: Exchange, other: Exchange) => one.seq - other.seq;

const REQUIREMENTS: ReadonlyMap<string, Requirement> = new Map(requirements.map((each) => [each.id, each]));

/** What all formats show of a report: causes, and failures with their evidence. `parts.ts` has the other sections. */
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

  readEvidence(check: CheckResult, { exchanges, body }: EvidenceBounds): ShownEvidence {
    const requirement = REQUIREMENTS.get(check.covers[0] ?? '');
    const found = this.report.failures?.find(({ id }) => id === check.id);
    return {
      requirement,
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
    return [
      requirement && formatRequirement(requirement),
      ...lines,
      again && `See it again: ${again}`,
      view && `See it step by step: ${view}`,
    ]
      .filter((line) => line !== undefined)
      .join('\n');
  }

  /** The command that repeats a request; undefined for a client or a journal, whose service is gone or unknown. */
  formatCurl(exchange: Exchange): string | undefined {
    const { base_url, client } = this.report.target;
    return client === undefined && parseUrl(base_url) ? formatCurl(exchange, base_url) : undefined;
  }

  /** The last `most` exchanges of the evidence. */
  listExchanges({ evidence }: CheckResult, most: number): Exchange[] {
    return evidence.flatMap((seq) => this.#exchanges.get(seq) ?? []).slice(-most);
  }

  /** The evidence of advice and of every check that did not pass, each with its conversation before it. */
  listRelevantExchanges(): Exchange[] {
    const { checks, advice = [], exchanges } = this.report;
    const concerned = checks.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
    const shown = [...concerned, ...advice].flatMap(({ evidence }) => evidence);
    const evidence = [...new Set(shown)].flatMap((seq) => this.#exchanges.get(seq) ?? []);
    const kept = new Set(this.listConversation(evidence, exchanges.length));
    return exchanges.filter((exchange) => kept.has(exchange));
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

function formatSighting({ schedule, seconds, seen, scenarios }: FoundFailure): string {
  const where = scenarios.length === 1 ? '' : `, in ${scenarios.join(', ')}`;
  return `Found in schedule ${schedule} after ${formatTime(1000 * seconds)}, seen in ${formatCount(seen, 'schedule')}${where}`;
}

export function formatRequirement({ id, section, rule }: Requirement): string {
  return `${id} (${section}): ${rule}`;
}

/** `POST /api/v1/task → 200 (12 ms)`. */
function formatExchangeLine({ request, response }: Exchange): string {
  const outcome = response
    ? `${response.status} (${formatTime(Math.max(0, response.at - request.at))})`
    : 'no response';
  return toOneLine(`${request.method} ${request.url} → ${outcome}`);
}

/** Request and response as lines; bodies are cut at `longest_body` characters. */
export function formatExchange(exchange: Exchange, longest_body: number): string[] {
  const { request, response } = exchange;
  const lines = [`#${exchange.seq} ${formatExchangeLine(exchange)}`];
  if (request.body) lines.push(...formatBody('> ', request.body, longest_body));
  if (response?.body) lines.push(...formatBody('< ', response.body, longest_body));
  return lines;
}

function formatBody(mark: string, body: string, longest: number): string[] {
  return toVisible(shorten(body, longest))
    .split('\n')
    .map((line) => mark + line);
}
