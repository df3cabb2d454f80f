import { useState } from 'preact/hooks';
import { formatCurl } from '../../conformance/conversation/curl.js';
import { shortenUrl } from '../../conformance/conversation/sequence-lines.js';
import { toVisible } from '../../spec/visible.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { formatClientStep, formatFetch, formatPython } from '../export/format-request.js';
import { admin } from '../live/admin-client.js';
import { CopyButton } from '../parts/copy-button.js';
import { formatCount, formatDuration, formatSize, formatTimeOfDay } from '../parts/format.js';
import { groupByLevel } from '../parts/group-by-level.js';
import { isRequirement, Requirement } from '../parts/requirement.js';
import { chooseTone } from '../sequence/exchange-row.js';
import { Why } from './why.js';
import './inspector.css';

/** Characters of a body that are shown before "Show all" is clicked. */
const MOST_BODY = 20_000;

interface InspectorProps {
  exchange: Exchange;
  findings: readonly Finding[];
  /** Of the mock or proxy; undefined if the page shows a file. */
  baseUrl: string | undefined;
  /** Server of copied requests. Default: `baseUrl`, else the default address of a mock. */
  origin?: string | undefined;
  onClose: () => void;
}

export function Inspector({
  exchange,
  findings,
  baseUrl,
  origin = baseUrl ?? 'http://127.0.0.1:4010',
  onClose,
}: InspectorProps) {
  const { seq, organisation, kind, request, response } = exchange;
  const [sent, setSent] = useState('');
  const sendAgain = async () =>
    setSent(
      await admin.sendAgain(organisation, seq).then(
        (result) => `sent as #${result.seq}`,
        (error: Error) => error.message,
      ),
    );
  return (
    <aside class="inspector" aria-label="Exchange">
      <header>
        <h2>
          #{seq} {request.method} {toVisible(shortenUrl(request.url))}
        </h2>
        <button type="button" class="small close" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      <p class="soft">
        {kind} · {organisation} · {formatTimeOfDay(request.at)}
        {response && ` · took ${formatDuration(Math.max(0, response.at - request.at))}`}
      </p>
      {groupByLevel(findings).flatMap(({ sign, tone, findings: its }) =>
        its.map((finding) => (
          <div key={finding.rule + finding.message} class={`finding-box ${tone}`} role="note">
            <strong>
              {sign} {finding.rule}
            </strong>{' '}
            <span class="soft">
              {finding.rule !== finding.requirement && `${finding.requirement} · `}
              {finding.side} · {finding.level}
            </span>
            <p>{toVisible(finding.message)}</p>
            {isRequirement(finding.requirement) && (
              <p class="soft">
                The requirement: <Requirement id={finding.requirement} />
              </p>
            )}
          </div>
        )),
      )}
      <Why exchange={exchange} isLive={baseUrl !== undefined} />
      <div class="buttons">
        <CopyButton
          label="Copy as curl"
          text={() => formatCurl(exchange, origin, Number.POSITIVE_INFINITY)}
        />
        <CopyButton label="fetch" text={() => formatFetch(exchange, origin)} />
        <CopyButton label="Python" text={() => formatPython(exchange, origin)} />
        {formatClientStep(exchange) !== undefined && (
          <CopyButton label="Scenario step" text={() => formatClientStep(exchange) ?? ''} />
        )}
        {baseUrl !== undefined && (
          <button type="button" class="small" onClick={sendAgain}>
            Send again
          </button>
        )}
        <span class="soft" role="status">
          {sent}
        </span>
      </div>
      <Message
        title="Request"
        start={`${request.method} ${request.url}`}
        headers={request.headers}
        body={request.body ?? ''}
        leftOut={request.left_out}
      />
      {response ? (
        <Message
          title={`Response ${response.status}`}
          tone={chooseTone(response.status)}
          start=""
          headers={response.headers}
          body={response.body}
          leftOut={response.left_out}
        />
      ) : (
        <p class="bad">The client got no response.</p>
      )}
    </aside>
  );
}

interface MessageProps {
  title: string;
  tone?: string;
  start: string;
  headers: Record<string, string>;
  body: string;
  leftOut: number | undefined;
}

function Message({ title, tone = '', start, headers, body, leftOut }: MessageProps) {
  const [isRaw, setRaw] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const text = isRaw ? body : formatJson(body);
  const isCut = !isWhole && text.length > MOST_BODY;
  const rows = Object.entries(headers);
  return (
    <section class="message">
      <h3 class={tone}>
        {title} <span class="soft">{body === '' ? 'no body' : formatSize(new Blob([body]).size)}</span>
      </h3>
      {start !== '' && <code class="start">{toVisible(start, 400)}</code>}
      {rows.length > 0 && (
        <details>
          <summary>{formatCount(rows.length, 'header')}</summary>
          <dl>
            {rows.map(([name, value]) => (
              <div key={name}>
                <dt>{toVisible(name, 100)}</dt>
                <dd>{toVisible(value, 1000)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {body !== '' && (
        <>
          <div class="buttons">
            <span class="choice" role="group" aria-label={`Body of the ${title.toLowerCase()}`}>
              <button type="button" class="small" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
                Pretty
              </button>
              <button type="button" class="small" aria-pressed={isRaw} onClick={() => setRaw(true)}>
                Raw
              </button>
            </span>
            <CopyButton label="Copy body" text={() => body} />
            {isCut && (
              <button type="button" class="small" onClick={() => setWhole(true)}>
                Show all {formatSize(text.length)}
              </button>
            )}
          </div>
          <pre tabIndex={0}>
            {toVisible(isCut ? text.slice(0, MOST_BODY) : text)}
            {isCut ? '\n…' : ''}
          </pre>
        </>
      )}
      {leftOut !== undefined && (
        <p class="soft">The journal left out {leftOut > 0 ? formatSize(leftOut) : 'a part'} of this body.</p>
      )}
    </section>
  );
}

function formatJson(body: string): string {
  if (body.length > 1_000_000) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
