import { useMemo, useState } from 'preact/hooks';
import { toVisible } from '../../spec/visible.js';
import { CopyButton } from '../parts/copy-button.js';
import { formatCount, formatSize } from '../parts/format.js';
import { JsonView } from './json-view.js';

/** Characters of a body that are shown before "Show all" is clicked. */
const MOST_BODY = 20_000;

interface MessageProps {
  title: string;
  tone?: string;
  start: string;
  headers: Record<string, string>;
  body: string;
  leftOut: number | undefined;
  /** See `JsonView`. */
  events: ReadonlyMap<string, number>;
  seq: number;
}

export function Message({ title, tone = '', start, headers, body, leftOut, ...rest }: MessageProps) {
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
      {body !== '' && <Body title={title} body={body} {...rest} />}
      {leftOut !== undefined && (
        <p class="soft">The journal left out {leftOut > 0 ? formatSize(leftOut) : 'a part'} of this body.</p>
      )}
    </section>
  );
}

function Body({ title, body, ...rest }: Pick<MessageProps, 'title' | 'body' | 'events' | 'seq'>) {
  const [isRaw, setRaw] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const json = useMemo(() => parseJson(body), [body]);
  const pretty = json === undefined ? body : JSON.stringify(json, null, 2);
  const text = isRaw ? body : pretty;
  const isCut = !isWhole && text.length > MOST_BODY;
  const isTree = !isRaw && json !== undefined && pretty.length <= MOST_BODY;
  return (
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
      {isTree ? (
        <JsonView value={json} {...rest} />
      ) : (
        <pre tabIndex={0}>
          {toVisible(isCut ? text.slice(0, MOST_BODY) : text)}
          {isCut ? '\n…' : ''}
        </pre>
      )}
    </>
  );
}

/** Undefined if it is no JSON, or too much of it. */
function parseJson(body: string): unknown {
  if (body.length > 1_000_000) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
