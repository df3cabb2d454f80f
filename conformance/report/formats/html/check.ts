import type { Exchange } from '../../../../spec/vocabulary.js';
import { sequenceLinesOf } from '../../../conversation/sequence-lines.js';
import type { CheckResult, ConformReport } from '../../../service/runner/result.js';
import { exchangeLine } from '../../exchange-text.js';
import { MARKS } from '../../palette.js';
import { repeatOf } from '../../search/about-clients.js';
import { count, escapeHtml, oneLine, shorten } from '../../text.js';
import { type Evidence, inWords, requirementOf } from '../../view.js';
import { drawSvg } from './diagram.js';

/** Bounds: a failure is shown with the conversation around it, all else with its evidence only. */
const FAILED = { exchanges: 12, conversation: 30, body: 6000 };
const OTHERS = { exchanges: 3, conversation: 0, body: 800 };

/** A check as something to open: what was expected, the requirement, the diagram, the exchanges. */
export function checkSection(
  check: CheckResult,
  report: ConformReport,
  evidence: Evidence,
  open: boolean,
): string {
  const { id, suite, title, message, known } = check;
  const kind = known ? 'known' : check.outcome;
  const bounds = check.outcome === 'failed' ? FAILED : OTHERS;
  const shown = evidence.of(check, bounds.exchanges);
  const around =
    bounds.conversation > 0 && shown.length > 0 ? evidence.conversation(check, bounds.conversation) : shown;
  const requirement = requirementOf(check);
  const left = check.evidence.length - shown.length;
  return `<details class="check ${kind}" data-outcome="${kind}" data-suite="${escapeHtml(suite)}"${open ? ' open' : ''}>
<summary><span class="outcome">${MARKS[kind]} ${kind}</span> <span class="id">${escapeHtml(id)}</span><br>${escapeHtml(title)}</summary>
<div class="body">
<p>${escapeHtml(message).replaceAll('\n', '<br>')}</p>
${known ? `<p class="soft">Known until ${escapeHtml(known.expires)}: ${escapeHtml(known.reason)}</p>` : ''}
${requirement ? `<blockquote>${escapeHtml(inWords(requirement))}</blockquote>` : ''}
${check.again === undefined ? '' : `<p>See it again:</p><pre>${escapeHtml(oneLine(check.again))}</pre>`}
${drawSvg(sequenceLinesOf(around, new Set(shown.map(({ seq }) => seq))), `Sequence diagram of ${count(around.length, 'exchange')}`)}
${shown.map((exchange) => exchangeSection(exchange, report, bounds.body)).join('\n')}
${left > 0 ? `<p class="soft">${left} more in the evidence are left out here.</p>` : ''}
</div>
</details>`;
}

function exchangeSection(exchange: Exchange, report: ConformReport, longest_body: number): string {
  const { seq, request, response, network } = exchange;
  const sent = message([`${request.method} ${request.url}`], request.headers, request.body, longest_body);
  const came = response
    ? message([`HTTP ${response.status}`], response.headers, response.body, longest_body)
    : escapeHtml('No answer.');
  const notes = network?.length
    ? `<p class="soft">${escapeHtml(network.map(({ note }) => note).join('; '))}</p>`
    : '';
  const again = repeatOf(exchange, report)
    .map((line) => `<pre>${escapeHtml(line)}</pre>`)
    .join('');
  return `<details class="exchange"><summary>#${seq} ${escapeHtml(exchangeLine(exchange))}</summary>
<pre>${sent}</pre><pre>${came}</pre>${notes}${again}</details>`;
}

function message(
  head: readonly string[],
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  longest_body: number,
): string {
  const lines = [...head, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const text = body ? `\n\n${shorten(body, longest_body)}` : '';
  return escapeHtml(lines.join('\n') + text);
}
