import type { ConformReport, Outcome } from '../../../service/runner/result.js';
import { MARKS } from '../../palette.js';
import { adviceOf, searchedLines, whereAdvised } from '../../search/about-clients.js';
import { escapeHtml } from '../../text.js';
import {
  colophon,
  coverageOf,
  dialectOf,
  Evidence,
  failuresOf,
  knownOf,
  nameOf,
  type ReadingOptions,
  suitesOf,
  summaryLine,
  VERDICT_WORDS,
  verdictOf,
} from '../../view.js';
import { checkSection } from './check.js';
import { documentOf } from './document.js';
import { SCRIPT } from './script.js';

/** Failures that are open from the start. */
const MOST_OPEN = 3;

/** One file that needs nothing else: summary, checks with their exchanges and diagrams, coverage, dialect. */
export function htmlReport(report: ConformReport, options: ReadingOptions = {}): string {
  const body = [
    header(report, options),
    baseline(report),
    searched(report),
    checks(report, options),
    advice(report),
    coverage(report),
    dialect(report),
  ];
  return documentOf(
    `${nameOf(report)} ${VERDICT_WORDS[verdictOf(report, options)]}`,
    body.join('\n'),
    SCRIPT,
  );
}

function header(report: ConformReport, options: ReadingOptions): string {
  const verdict = verdictOf(report, options);
  const kind = {
    conforms: 'passed',
    incomplete: 'untested',
    violations: 'failed',
    untested: 'untested',
    crashed: 'error',
  }[verdict];
  const { tested, total } = report.requirements;
  const told = report.searched === undefined ? ` ${tested} of ${total} requirements tested.` : '';
  return `<header>
<h1>${escapeHtml(nameOf(report))} <span class="outcome ${kind}">${VERDICT_WORDS[verdict]}</span></h1>
<p>${escapeHtml(summaryLine(report))}.${told}</p>
${report.stopped === undefined ? '' : `<p class="outcome untested">The run ended early: ${escapeHtml(report.stopped)}</p>`}
<p class="soft">${escapeHtml(colophon(report))}, started ${escapeHtml(report.started)}</p>
</header>`;
}

function baseline({ baseline: applied }: ConformReport): string {
  if (!applied?.problems.length) return '';
  const items = applied.problems.map((problem) => `<li>${escapeHtml(problem)}</li>`);
  return `<section><h2>Baseline</h2><ul class="failed">${items.join('')}</ul></section>`;
}

function checks(report: ConformReport, options: ReadingOptions): string {
  const evidence = new Evidence(report);
  const rank: Record<Outcome, number> = { failed: 0, error: 1, inconclusive: 2, passed: 3, skipped: 4 };
  const open = new Set(failuresOf(report, options).slice(0, MOST_OPEN));
  const sorted = [...report.checks].sort((one, other) => rank[one.outcome] - rank[other.outcome]);
  const suites = suitesOf(report).map((suite) => `<option>${escapeHtml(suite)}</option>`);
  return `<main><h2>Checks</h2>
<div class="filters" hidden>${buttons(report)}
<select id="suite" aria-label="Suite"><option value="">all suites</option>${suites.join('')}</select>
<input id="text" type="search" placeholder="containing" aria-label="Containing"><span id="shown" class="soft" role="status"></span></div>
${sorted.map((check) => checkSection(check, report, evidence, open.has(check))).join('\n')}
</main>`;
}

function buttons(report: ConformReport): string {
  const known = knownOf(report).length;
  const { failed, error = 0, passed, inconclusive, skipped } = report.summary;
  const counts = { failed: failed - known, error, known, inconclusive, passed, skipped };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const label = `<span class="outcome">${MARKS[kind as keyof typeof counts]} ${count}</span> ${kind}`;
      return `<button type="button" class="${kind}" value="${kind}" aria-pressed="true">${label}</button>`;
    })
    .join('');
}

function advice(report: ConformReport): string {
  const items = adviceOf(report).map((group) => {
    const { message } = group.items[0]!;
    return `<li><strong>${escapeHtml(whereAdvised(group))}</strong>: ${escapeHtml(message)}</li>`;
  });
  if (items.length === 0) return '';
  return `<section><h2>Advice</h2><p class="soft">It fails nothing.</p><ul>${items.join('')}</ul></section>`;
}

function searched(report: ConformReport): string {
  const lines = searchedLines(report).map((line) => `<p>${escapeHtml(line)}</p>`);
  return lines.length === 0 ? '' : `<section><h2>Searched</h2>${lines.join('')}</section>`;
}

function coverage(report: ConformReport): string {
  if (report.searched !== undefined) return '';
  const rows = coverageOf(report).map(({ requirement: { id, section, rule }, outcomes, state, why }) => {
    const counts = `${outcomes.passed} passed, ${outcomes.failed} failed`;
    const told = state === 'untested' ? `not tested${why === undefined ? '' : `: ${why}`}` : counts;
    return `<tr class="${state}"><td>${escapeHtml(id)}</td><td>${escapeHtml(rule)} <span class="soft">(${escapeHtml(section)})</span></td><td class="outcome">${escapeHtml(told)}</td></tr>`;
  });
  return `<section><h2>Requirements</h2><table class="wide"><thead><tr><th>id</th><th>rule</th><th>checks</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></section>`;
}

function dialect(report: ConformReport): string {
  const observed = dialectOf(report);
  if (observed.length === 0) return '';
  const rows = observed.map(
    ({ id, choice, question, meaning, usual }) =>
      `<tr><td>${escapeHtml(id)}</td><td><strong>${escapeHtml(choice)}</strong>${usual ? '' : ' *'}${meaning ? `<br>${escapeHtml(meaning)}` : ''}</td><td class="soft">${escapeHtml(question)}</td></tr>`,
  );
  const legend = observed.some(({ usual }) => !usual)
    ? '<p class="soft">* unlike the mock unless told otherwise</p>'
    : '';
  return `<section><h2>Dialect observed</h2>${legend}<table class="wide"><thead><tr><th>open point</th><th>choice</th><th>question</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></section>`;
}
