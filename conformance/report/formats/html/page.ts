import type { Exchange } from '../../../../spec/vocabulary.js';
import { sequenceLinesOf } from '../../../conversation/sequence-lines.js';
import type { CheckResult, Outcome } from '../../../service/runner/result.js';
import { exchangeLine } from '../../exchange-text.js';
import { signOf } from '../../palette.js';
import { count, escapeHtml, shorten } from '../../text.js';
import { colophon, nameOf, summaryLine, VERDICTS } from '../../verdict.js';
import { nameOfRow, type ReportPart, type ReportView } from '../../view.js';
import { drawSvg } from './diagram.js';
import { documentOf } from './document.js';

/** Failures that are open from the start. */
const MOST_OPEN = 3;
/** A failure is shown with the conversation around it, all else with its evidence only. */
const FAILED = { exchanges: 12, conversation: 30, body: 6000 };
const OTHERS = { exchanges: 3, conversation: 0, body: 800 };
/** Failures first. */
const ORDER: readonly Outcome[] = ['failed', 'error', 'inconclusive', 'passed', 'skipped'];

/** One file that needs nothing else: summary, checks with their exchanges and diagrams, requirements, dialect. */
export function htmlReport(view: ReportView): string {
  const title = `${nameOf(view.report)} ${VERDICTS[view.verdict].words}`;
  return documentOf(title, [header(view), causes(view), checks(view), ...view.parts.map(section)].join('\n'));
}

function header({ report, verdict }: ReportView): string {
  const { words, mark } = VERDICTS[verdict];
  const { stopped, started } = report;
  return `<header>
<h1>${escapeHtml(nameOf(report))} <span class="outcome ${mark}">${words}</span></h1>
<p>${escapeHtml(summaryLine(report))}.</p>
${stopped === undefined ? '' : `<p class="outcome inconclusive">The run ended early: ${escapeHtml(stopped)}</p>`}
<p class="soft">${escapeHtml(colophon(report))}, started ${escapeHtml(started)}</p>
</header>`;
}

/** Causes before checks: what to fix first. */
function causes(view: ReportView): string {
  if (view.causes.length === 0) return '';
  const items = view.causes.map(({ cause, example, head }) => {
    const others = cause.checks.filter((id) => id !== example.id);
    const list = others.map((id) => `<li class="id">${escapeHtml(id)}</li>`).join('');
    const more =
      others.length === 0
        ? ''
        : `<details><summary class="soft">${count(others.length, 'more failure')}</summary><ul>${list}</ul></details>`;
    return `<li><strong>${escapeHtml(head)}</strong>: ${escapeHtml(cause.title)}<br><span class="soft">e.g. <span class="id">${escapeHtml(example.id)}</span></span>${more}</li>`;
  });
  return `<section><h2>Causes</h2><ol>${items.join('\n')}</ol></section>`;
}

function checks(view: ReportView): string {
  const examples = view.causes.map(({ example }) => example);
  const open = new Set([...examples, ...view.otherFailures].slice(0, MOST_OPEN));
  const first = new Set(examples);
  const rank = (check: CheckResult) => (first.has(check) ? -1 : ORDER.indexOf(check.outcome));
  const sorted = view.report.checks.toSorted((one, other) => rank(one) - rank(other));
  const suites = view.suites.map((suite) => `<option>${escapeHtml(suite)}</option>`);
  return `<main><h2>Checks</h2>
<div class="filters" hidden>${buttons(view)}
<select id="suite" aria-label="Suite"><option value="">all suites</option>${suites.join('')}</select>
<input id="text" type="search" placeholder="containing" aria-label="Containing"><span id="shown" class="soft" role="status"></span></div>
${sorted.map((check) => checkSection(check, view, open.has(check))).join('\n')}
</main>`;
}

function buttons({ report, known }: ReportView): string {
  const { failed, error = 0, passed, inconclusive, skipped } = report.summary;
  const counts = { failed: failed - known.length, error, known: known.length, inconclusive, passed, skipped };
  return Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => {
      const label = `<span class="outcome">${signOf(kind as keyof typeof counts)} ${number}</span> ${kind}`;
      return `<button type="button" class="${kind}" value="${kind}" aria-pressed="true">${label}</button>`;
    })
    .join('');
}

/** A check as something to open: what was expected, the requirement, the diagram, the exchanges. */
function checkSection(check: CheckResult, view: ReportView, isOpen: boolean): string {
  const { id, suite, title, message, known, evidence } = check;
  const kind = known ? 'known' : check.outcome;
  const cause = view.causeOf(check);
  const bounds = check.outcome === 'failed' ? FAILED : OTHERS;
  const shown = view.exchangesOf(check, bounds.exchanges);
  const around = view.conversationAround(shown, bounds.conversation);
  const { requirement, again } = view.evidenceOf(check, { exchanges: 0, body: 0 });
  const diagram = sequenceLinesOf(around, new Set(shown.map(({ seq }) => seq)));
  const left = evidence.length - shown.length;
  return `<details class="check ${kind}" data-outcome="${kind}" data-suite="${escapeHtml(suite)}"${isOpen ? ' open' : ''}>
<summary><span class="outcome">${signOf(kind)} ${kind}</span> <span class="id">${escapeHtml(id)}</span><br>${escapeHtml(title)}</summary>
<div class="body">
<p>${escapeHtml(message).replaceAll('\n', '<br>')}</p>
${known ? `<p class="soft">Known until ${escapeHtml(known.expires)}: ${escapeHtml(known.reason)}</p>` : ''}
${cause ? `<p class="soft">Belongs to the cause ${escapeHtml(cause.cause.id)}.</p>` : ''}
${requirement ? `<blockquote>${escapeHtml(requirement)}</blockquote>` : ''}
${again === undefined ? '' : `<p>See it again:</p><pre>${escapeHtml(again)}</pre>`}
${drawSvg(diagram, `Sequence diagram of ${count(around.length, 'exchange')}`)}
${shown.map((exchange) => exchangeSection(exchange, view, bounds.body)).join('\n')}
${left > 0 ? `<p class="soft">${left} more in the evidence are left out here.</p>` : ''}
</div>
</details>`;
}

function exchangeSection(exchange: Exchange, view: ReportView, longestBody: number): string {
  const { seq, request, response, network = [] } = exchange;
  const text = (head: string, { headers, body }: Pick<Exchange['request'], 'headers' | 'body'>) => {
    const lines = [head, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
    return escapeHtml(lines.join('\n') + (body ? `\n\n${shorten(body, longestBody)}` : ''));
  };
  const sent = text(`${request.method} ${request.url}`, request);
  const received = response ? text(`HTTP ${response.status}`, response) : 'No response.';
  const notes = escapeHtml(network.map(({ note }) => note).join('; '));
  const curl = view.curlOf(exchange);
  return `<details class="exchange"><summary>#${seq} ${escapeHtml(exchangeLine(exchange))}</summary>
<pre>${sent}</pre><pre>${received}</pre>${notes && `<p class="soft">${notes}</p>`}${curl === undefined ? '' : `<pre>${escapeHtml(curl)}</pre>`}</details>`;
}

function section({ title, note, rows }: ReportPart): string {
  const lines = rows.map((row) => {
    const { mark, text, more } = row;
    const name = nameOfRow(row, Number.POSITIVE_INFINITY) ?? '';
    const head = `<td class="outcome">${mark ? signOf(mark) : ''}</td><td>${escapeHtml(name)}</td>`;
    const soft = more ? ` <span class="soft">${escapeHtml(more)}</span>` : '';
    return `<tr class="${mark ?? ''}">${head}<td>${escapeHtml(text)}${soft}</td></tr>`;
  });
  return `<section><h2>${title}${note === undefined ? '' : ` <span class="soft">(${escapeHtml(note)})</span>`}</h2>
<table class="wide"><tbody>
${lines.join('\n')}
</tbody></table></section>`;
}
