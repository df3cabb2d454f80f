import { computed } from '@preact/signals';
import { shortenUrl } from '../../conformance/conversation/sequence-lines.js';
import type { ExchangeSummary } from '../../mock/admin/stream/exchange-summary.js';
import { matchesFilter, parseFilter } from '../../spec/filter-words.js';
import { toVisible } from '../../spec/visible.js';
import { others } from '../live/live-state.js';
import { formatTimeOfDay } from '../parts/format.js';
import { describeKey, formatKeyName } from '../parts/key-name.js';
import { VirtualList } from '../parts/virtual-list.js';
import { filterText, selectedExchange, selectedOrganisation } from '../selection.js';
import { chooseTone } from '../sequence/exchange-row.js';

/** The list item of the requests without a task. */
export const OTHERS = 'others';

/** Newest first. */
export const shownOthers = computed(() => {
  const words = parseFilter(filterText.value);
  return others.value
    .filter(({ method, url, status, kind, organisation, seq }) =>
      matchesFilter(words, (field) => {
        if (field === 'status') return [status];
        if (field === 'kind') return [kind];
        if (field === 'url') return [url];
        if (field === 'key') return [describeKey(organisation)];
        return field === undefined ? [`${method} ${url} ${status}`] : field === 'id' ? [seq] : [];
      }),
    )
    .toReversed();
});

/** Requests without a task, and refused ones. */
export function OtherRequests() {
  return (
    <section class="conversation" aria-label="Other requests">
      <div class="tabs">
        <strong>Other requests</strong> <span class="soft">no task, or refused: newest first</span>
      </div>
      <VirtualList
        class="log"
        label="Other requests"
        items={shownOthers.value}
        height={28}
        render={(each) => <OtherRequestItem key={`${each.organisation} ${each.seq}`} exchange={each} />}
      />
      {shownOthers.value.length === 0 && <p class="empty">None so far.</p>}
    </section>
  );
}

function OtherRequestItem({ exchange }: { exchange: ExchangeSummary }) {
  const { seq, organisation, method, url, at, status = 0 } = exchange;
  const isCurrent = selectedExchange.value === seq && selectedOrganisation.value === organisation;
  const select = () => {
    selectedOrganisation.value = organisation;
    selectedExchange.value = seq;
  };
  return (
    <div role="option" tabIndex={-1} aria-selected={isCurrent} class="log-line" onClick={select}>
      <span class="time">{formatTimeOfDay(at).slice(0, 8)}</span>{' '}
      <span class={chooseTone(status)}>{status || 'lost'}</span> {method} {toVisible(shortenUrl(url))}{' '}
      <span class="soft">
        {toVisible(formatKeyName(organisation), 60)} #{seq}
      </span>
    </div>
  );
}
