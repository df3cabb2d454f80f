import { formatCurl } from '../../conformance/conversation/curl.js';
import { shortenUrl } from '../../conformance/conversation/sequence-lines.js';
import { toVisible } from '../../spec/visible.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { ExchangeFaults } from '../controls/faults/exchange-faults.js';
import { formatClientStep, formatFetch, formatPython } from '../export/format-request.js';
import { CopyButton } from '../parts/copy-button.js';
import { DocsLink, formatRuleAnchor } from '../parts/docs-link.js';
import { formatDuration, formatOffset, formatTimeOfDay, formatZone } from '../parts/format.js';
import { groupByLevel } from '../parts/group-by-level.js';
import { isRequirement, Requirement } from '../parts/requirement.js';
import { chooseTone } from '../sequence/exchange-row.js';
import { Difference } from './difference.js';
import { indexEvents } from './event-index.js';
import { Message } from './message.js';
import { SendAgain } from './send-again.js';
import { Why } from './why.js';
import './inspector.css';

interface InspectorProps {
  exchange: Exchange;
  findings: readonly Finding[];
  /** The conversation, for comparisons and links. */
  exchanges?: readonly Exchange[];
  target?: 'mock' | 'proxy';
  /** Of the mock or proxy; undefined if the page shows a file. */
  baseUrl: string | undefined;
  /** Server of copied requests. Default: `baseUrl`, else the default address of a mock. */
  origin?: string | undefined;
  onClose: () => void;
}

export function Inspector({
  exchange,
  findings,
  exchanges = NONE,
  target = 'mock',
  baseUrl,
  origin = baseUrl ?? 'http://127.0.0.1:4010',
  onClose,
}: InspectorProps) {
  const { seq, organisation, kind, request, response } = exchange;
  const events = indexEvents(exchanges);
  const [first] = exchanges;
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
        {kind} · {organisation} · {first && `${formatOffset(request.at - first.request.at)} · `}
        <time title={new Date(request.at).toISOString()}>
          {formatTimeOfDay(request.at)} {formatZone(request.at)}
        </time>
        {response && ` · took ${formatDuration(Math.max(0, response.at - request.at))}`}
      </p>
      {groupByLevel(findings).flatMap(({ sign, tone, findings: its }) =>
        its.map((finding) => (
          <div key={finding.rule + finding.message} class={`finding-box ${tone}`} role="note">
            <strong>
              {sign} {finding.rule}
            </strong>{' '}
            <DocsLink
              page={`${finding.side}-rules`}
              anchor={formatRuleAnchor(finding.rule)}
              about={`the rule ${finding.rule}`}
            />{' '}
            <span class="soft">
              {finding.rule !== finding.requirement && `${finding.requirement} · `}
              {finding.side} · {finding.level}
            </span>
            <p>{toVisible(finding.message)}</p>
            {isRequirement(finding.requirement) && (
              <p class="soft">
                The requirement: <Requirement id={finding.requirement} />{' '}
                <DocsLink page="requirements" anchor={finding.requirement} about={finding.requirement} />
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
      </div>
      {baseUrl !== undefined && <SendAgain exchange={exchange} target={target} />}
      <Difference exchange={exchange} all={exchanges} />
      {baseUrl !== undefined && <ExchangeFaults exchange={exchange} />}
      <Message
        title="Request"
        start={`${request.method} ${request.url}`}
        headers={request.headers}
        body={request.body ?? ''}
        leftOut={request.left_out}
        events={events}
        seq={seq}
      />
      {response ? (
        <Message
          title={`Response ${response.status}`}
          tone={chooseTone(response.status)}
          start=""
          headers={response.headers}
          body={response.body}
          leftOut={response.left_out}
          events={events}
          seq={seq}
        />
      ) : (
        <p class="bad">The client got no response.</p>
      )}
    </aside>
  );
}

const NONE: readonly Exchange[] = [];
