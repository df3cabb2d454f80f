import { useMemo, useState } from 'preact/hooks';
import { Inspector } from './inspector/inspector.js';
import type { RecordingPage } from './page-data.js';
import { visible } from './parts/show.js';
import { selectedExchange } from './selection.js';
import { ConversationView } from './sequence/conversation-view.js';

/** The exchanges of a file, one conversation at a time. */
export function RecordingApp({ page }: { page: RecordingPage }) {
  const groups = useMemo(() => groupByTask(page), [page]);
  const [current, setCurrent] = useState(groups[0]?.id);
  const group = groups.find(({ id }) => id === current) ?? groups[0];
  const exchange = group?.exchanges.find(({ seq }) => seq === selectedExchange.value);
  const about = page.findings.filter(({ evidence }) =>
    group?.exchanges.some(({ seq }) => evidence.includes(seq)),
  );
  return (
    <div class={`app recording ${exchange ? 'at-inspector' : 'at-conversation'}`}>
      <header class="bar">
        <strong class="brand">taskdouble</strong> <span class="soft">{visible(page.title, 200)}</span>
        <span class="spacer" />
        {groups.length > 1 && (
          <select
            aria-label="Conversation"
            value={current}
            onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
          >
            {groups.map(({ id, exchanges }) => (
              <option key={id} value={id}>
                {id.slice(0, 13)} · {exchanges.length} exchanges
              </option>
            ))}
          </select>
        )}
      </header>
      <main>
        {group && (
          <ConversationView
            id={group.id}
            exchanges={group.exchanges}
            findings={about}
            baseUrl={undefined}
            isMock={false}
          />
        )}
      </main>
      {exchange && (
        <Inspector
          exchange={exchange}
          findings={about.filter(({ evidence }) => evidence.includes(exchange.seq))}
          baseUrl={undefined}
          onClose={() => {
            selectedExchange.value = undefined;
          }}
        />
      )}
    </div>
  );
}

function groupByTask({ exchanges }: RecordingPage) {
  const groups = new Map<string, typeof exchanges>();
  for (const exchange of exchanges) {
    const id = exchange.task ?? 'without a task';
    const group = groups.get(id) ?? [];
    group.push(exchange);
    groups.set(id, group);
  }
  return [...groups].map(([id, all]) => ({ id, exchanges: all }));
}
