import type { CheckResult, ConformReport } from '../../service/runner/result.js';
import { exchangeLines } from '../exchange-text.js';
import { mark, type Palette, palette } from '../palette.js';
import { adviceOf, againOf, repeatOf, searchedLines, whereAdvised } from '../search/about-clients.js';
import { oneLine, visible } from '../text.js';
import {
  colophon,
  dialectOf,
  Evidence,
  fails,
  failuresOf,
  inWords,
  knownOf,
  nameOf,
  type ReadingOptions,
  requirementOf,
  summaryLine,
  tally,
  VERDICT_WORDS,
  verdictOf,
} from '../view.js';

const MOST_EXCHANGES = 3;
const LONGEST_BODY = 1500;
/** Failures told with their exchanges; a service that fails more is told the rest in a line each. */
const MOST_DETAILED = 40;
/** Names in a list of those who share a reason. */
const MOST_NAMES = 4;

/** What a person reads after a run: failures first, the summary last, where the eye is. */
export function prettyReport(
  report: ConformReport,
  options: ReadingOptions & { colour?: boolean } = {},
): string {
  const colours = palette(options.colour === true);
  const failures = failuresOf(report, options);
  const sections = [
    failureSection(report, failures, colours),
    knownSection(report, colours),
    baselineSection(report, colours),
    ...(['error', 'inconclusive', 'skipped'] as const).map((kind) =>
      undecidedSection(report, kind, options, colours),
    ),
    adviceSection(report, colours),
    dialectSection(report, colours),
    coverageSection(report, colours),
    searchSection(report, colours),
    verdictSection(report, options, colours),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function failureSection(report: ConformReport, failures: readonly CheckResult[], colours: Palette): string[] {
  const evidence = new Evidence(report);
  const detailed = failures
    .slice(0, MOST_DETAILED)
    .map((check) => failure(check, report, evidence, colours).join('\n'));
  const rest = failures
    .slice(MOST_DETAILED)
    .map(({ id, outcome, message }) => `${mark(outcome, colours)} ${oneLine(id)}: ${oneLine(message)}`);
  return [...detailed.flatMap((text) => [text, '']), ...rest].slice(0, rest.length > 0 ? undefined : -1);
}

function failure(check: CheckResult, report: ConformReport, evidence: Evidence, colours: Palette): string[] {
  const lines = [
    `${mark(check.outcome, colours)} ${colours.bold(oneLine(check.id))}  ${oneLine(check.title)}`,
  ];
  lines.push(
    ...visible(check.message)
      .split('\n')
      .map((line) => `    ${line}`),
  );
  const requirement = requirementOf(check);
  if (requirement) lines.push(colours.cyan(`    ${inWords(requirement)}`));
  for (const exchange of evidence.of(check, MOST_EXCHANGES)) {
    const [head = '', ...bodies] = exchangeLines(exchange, LONGEST_BODY);
    lines.push(`    ${head}`, ...bodies.map((line) => `      ${line}`));
    lines.push(...repeatOf(exchange, report).map((line) => colours.dim(`      ${line}`)));
  }
  lines.push(...againOf(check).map((line) => colours.dim(`    ${line}`)));
  return lines;
}

function knownSection(report: ConformReport, colours: Palette): string[] {
  const known = knownOf(report);
  if (known.length === 0) return [];
  const lines = known.map(
    (check) =>
      `${mark('known', colours)} ${oneLine(check.id)}: ${oneLine(check.known!.reason)} (until ${check.known!.expires})`,
  );
  return [colours.bold('Known failures'), ...lines];
}

function baselineSection({ baseline }: ConformReport, colours: Palette): string[] {
  if (!baseline?.problems.length) return [];
  const lines = baseline.problems.map((problem) => `${mark('failed', colours)} ${oneLine(problem)}`);
  return [colours.bold('Baseline'), ...lines];
}

const UNDECIDED = {
  error: 'Errors of taskdouble',
  inconclusive: 'Inconclusive',
  skipped: 'Skipped',
} as const;

/** Checks that were not decided, by the reason they share. */
function undecidedSection(
  report: ConformReport,
  kind: keyof typeof UNDECIDED,
  options: ReadingOptions,
  colours: Palette,
): string[] {
  const found = report.checks.filter(
    (check) => check.outcome === kind && (kind === 'error' || !fails(check, options)),
  );
  if (found.length === 0) return [];
  const groups = tally(found, ({ message }) => oneLine(message)).map(({ key, items }) => {
    const names = items.slice(0, MOST_NAMES).map(({ id }) => oneLine(id));
    const more = items.length > names.length ? ` and ${items.length - names.length} more` : '';
    return `${mark(kind, colours)} ${names.join(', ')}${more}: ${key}`;
  });
  return [colours.bold(UNDECIDED[kind]), ...groups];
}

/** What would be better otherwise, by its rule. */
function adviceSection(report: ConformReport, colours: Palette): string[] {
  const groups = adviceOf(report);
  if (groups.length === 0) return [];
  const lines = groups.flatMap((group) => [
    `${colours.cyan('i')} ${whereAdvised(group)}:`,
    `    ${oneLine(group.items[0]!.message)}`,
  ]);
  return [`${colours.bold('Advice')} (fails nothing)`, ...lines];
}

function dialectSection(report: ConformReport, colours: Palette): string[] {
  const observed = dialectOf(report);
  if (observed.length === 0) return [];
  const width = Math.max(...observed.map(({ id }) => id.length));
  const lines = observed.map(({ id, choice, meaning, usual }) => {
    const line = `  ${oneLine(id).padEnd(width)}  ${choice}${meaning ? `  ${colours.dim(meaning)}` : ''}`;
    return usual ? line : `${colours.yellow('*')}${line.slice(1)}`;
  });
  const legend = observed.some(({ usual }) => !usual) ? ' (* unlike the mock unless told otherwise)' : '';
  return [`${colours.bold('Dialect observed')}${legend}`, ...lines];
}

function coverageSection({ requirements, searched }: ConformReport, colours: Palette): string[] {
  if (searched !== undefined) return [];
  const { total, tested, untested } = requirements;
  const lines = tally(untested, ({ why }) => oneLine(why)).map(
    ({ key, items }) => `  ${items.map(({ id }) => id).join(', ')}: ${key}`,
  );
  return [`${colours.bold('Requirements')} ${tested} of ${total} tested`, ...lines];
}

function searchSection(report: ConformReport, colours: Palette): string[] {
  const lines = searchedLines(report);
  return lines.length === 0 ? [] : [colours.bold('Searched'), ...lines.map((line) => `  ${line}`)];
}

function verdictSection(report: ConformReport, options: ReadingOptions, colours: Palette): string[] {
  const verdict = verdictOf(report, options);
  const paint = {
    conforms: colours.green,
    incomplete: colours.yellow,
    violations: colours.red,
    untested: colours.yellow,
    crashed: colours.red,
  }[verdict];
  const lines = [
    `${colours.bold(paint(`${oneLine(nameOf(report))} ${VERDICT_WORDS[verdict]}`))}: ${summaryLine(report)}`,
    colours.dim(colophon(report)),
  ];
  if (report.stopped !== undefined)
    lines.unshift(colours.yellow(`The run ended early: ${oneLine(report.stopped)}`));
  return lines;
}
