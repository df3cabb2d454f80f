import { useMemo } from 'preact/hooks';
import { toVisible } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { formatCount, formatInline } from '../parts/format.js';
import { selectedExchange } from '../selection.js';
import { compareExchanges, findPrevious } from './json-difference.js';

/** Paths in the sentence. */
const MOST_NAMED = 4;
/** Values in the list. */
const MOST_LISTED = 50;

/** What changed since the previous poll or reply. */
export function Difference({ exchange, all }: { exchange: Exchange; all: readonly Exchange[] }) {
  const previous = useMemo(() => findPrevious(exchange, all), [exchange, all]);
  const changes = useMemo(() => (previous ? compareExchanges(previous, exchange) : []), [previous, exchange]);
  if (!previous) return null;
  const what = exchange.kind === 'poll' ? 'response' : 'request';
  const link = (
    <button
      type="button"
      class="link"
      onClick={() => {
        selectedExchange.value = previous.seq;
      }}
    >
      #{previous.seq}
    </button>
  );
  const about = (
    <>
      Compared with the previous {exchange.kind}, {link}:{' '}
    </>
  );
  if (changes.length === 0)
    return (
      <p class="difference">
        {about}the same {what}.
      </p>
    );
  const named = changes.slice(0, MOST_NAMED).map(({ path }) => path);
  const more = changes.length - named.length;
  const verb = changes.length === 1 ? 'differs' : 'differ';
  return (
    <div class="difference">
      {about}
      {changes.length <= MOST_NAMED ? 'only ' : ''}
      {named.map((path, index) => (
        <>
          {index > 0 && (index === named.length - 1 && more === 0 ? ' and ' : ', ')}
          <code>{toVisible(path, 80)}</code>
        </>
      ))}{' '}
      {more > 0 && `and ${formatCount(more, 'more value')} `}
      {verb}.
      <details>
        <summary>Values</summary>
        <dl>
          {changes.slice(0, MOST_LISTED).map(({ path, before, after }) => (
            <div key={path}>
              <dt>{toVisible(path, 80)}</dt>
              <dd>
                <del>{before === undefined ? 'absent' : formatInline(before, 200)}</del> →{' '}
                <ins>{after === undefined ? 'absent' : formatInline(after, 200)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
