import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { toVisible } from '../../spec/visible.js';
import { formatTimeOfDay } from '../parts/format.js';
import { selectedExchange } from '../selection.js';
import { isContainer } from './json-difference.js';

interface JsonViewProps {
  value: unknown;
  /** `seq` of the exchange with the event, by its id. */
  events: ReadonlyMap<string, number>;
  /** The exchange that shows this value. */
  seq: number;
}

interface ViewState extends Omit<JsonViewProps, 'value'> {
  search: string;
  closed: ReadonlySet<string>;
  toggle: (path: string) => void;
}

/** A shorter text is seen at a glance, characters. */
const SEARCHED_FROM = 1200;

/** JSON with colors, folds and a search. Times have their time of day, ids of events lead to their exchange. */
export function JsonView({ value, ...given }: JsonViewProps) {
  const [search, setSearch] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (path: string) => {
    const next = new Set(closed);
    if (!next.delete(path)) next.add(path);
    setClosed(next);
  };
  const text = useMemo(() => JSON.stringify(value, null, 2), [value]);
  const found = search === '' ? 0 : countMatches(text, search);
  return (
    <>
      {text.length > SEARCHED_FROM && (
        <label class="json-search">
          <input
            type="search"
            placeholder="Find in this body"
            aria-label="Find in this body"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />{' '}
          <span class="soft" role="status">
            {search !== '' && `${found} found`}
          </span>
        </label>
      )}
      <pre class="json" tabIndex={0}>
        <Value value={value} path="" indent="" {...given} search={search} closed={closed} toggle={toggle} />
      </pre>
    </>
  );
}

function countMatches(text: string, search: string): number {
  return text.toLowerCase().split(search.toLowerCase()).length - 1;
}

interface ValueProps extends ViewState {
  value: unknown;
  /** The name of the field. */
  name?: string;
  path: string;
  indent: string;
}

function Value({ value, ...rest }: ValueProps) {
  if (!isContainer(value)) return <Scalar value={value} {...rest} />;
  const { path, indent, closed, search, toggle } = rest;
  const isList = Array.isArray(value);
  const [start, end] = isList ? '[]' : '{}';
  const entries = Object.entries(value);
  if (entries.length === 0) return <>{`${start}${end}`}</>;
  // A search looks into closed folds too.
  const isClosed = closed.has(path) && search === '';
  const inner = `${indent}  `;
  const fold = (
    <button
      type="button"
      class="fold-toggle"
      aria-expanded={!isClosed}
      aria-label={`${isList ? 'Items' : 'Fields'} of ${path === '' ? 'the body' : path}`}
      onClick={() => toggle(path)}
    >
      {isClosed ? '▸' : '▾'}
    </button>
  );
  if (isClosed)
    return (
      <>
        {fold}
        {start}
        <span class="soft">… {entries.length}</span>
        {end}
      </>
    );
  return (
    <>
      {fold}
      {start}
      {entries.map(([name, each], index) => (
        <>
          {`\n${inner}`}
          {!isList && (
            <>
              <span class="key">
                <Marked text={JSON.stringify(name)} search={search} />
              </span>
              {': '}
            </>
          )}
          <Value {...rest} value={each} name={name} path={`${path}.${name}`} indent={inner} />
          {index < entries.length - 1 && ','}
        </>
      ))}
      {`\n${indent}${end}`}
    </>
  );
}

/** Names of fields with a Unix time in ms. */
const TIME_NAMES = /^timestamp$|_at$/;
/** From 2001 on. */
const LEAST_TIME_MS = 1e12;

function Scalar({ value, name = '', search, events, seq }: Omit<ValueProps, 'path' | 'indent'>) {
  const text = <Marked text={JSON.stringify(value)} search={search} />;
  const isTime = typeof value === 'number' && TIME_NAMES.test(name) && value >= LEAST_TIME_MS;
  if (isTime && value < 8.64e15)
    return (
      <>
        <span class="number">{text}</span>
        <span class="soft" title={new Date(value).toISOString()}>
          {' '}
          {formatTimeOfDay(value)}
        </span>
      </>
    );
  const target = typeof value === 'string' && name === 'id' ? events.get(value) : undefined;
  if (target !== undefined && target !== seq) return <EventLink seq={target}>{text}</EventLink>;
  return <span class={value === null ? 'null' : typeof value}>{text}</span>;
}

function EventLink({ seq, children }: { seq: number; children: ComponentChildren }) {
  return (
    <button
      type="button"
      class="link string"
      title={`Exchange #${seq}`}
      onClick={() => {
        selectedExchange.value = seq;
      }}
    >
      {children}
    </button>
  );
}

/** The text with each occurrence of `search` marked. */
function Marked({ text, search }: { text: string; search: string }) {
  const shown = toVisible(text);
  if (search === '') return <>{shown}</>;
  const parts: ComponentChildren[] = [];
  const lower = shown.toLowerCase();
  const wanted = search.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    parts.push(shown.slice(from, at), <mark>{shown.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return <>{[...parts, shown.slice(from)]}</>;
}
