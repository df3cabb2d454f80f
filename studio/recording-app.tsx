import { useMemo, useState } from 'preact/hooks';
import { ReadExchange } from '../conformance/conversation/read-exchange.js';
import { summarizeExchanges } from '../conformance/conversation/task-summary.js';
import { toVisible } from '../spec/visible.js';
import type { Exchange, Finding } from '../spec/vocabulary.js';
import { ConversationHeader } from './conversation/header.js';
import { BackToList } from './conversations/back-to-list.js';
import { ConversationList } from './conversations/conversation-list.js';
import { createListRows, listTasks } from './conversations/list-rows.js';
import { OTHERS } from './conversations/other-requests.js';
import { filterTasks, findByExchanges } from './conversations/task-filter.js';
import { Help } from './help.js';
import { Inspector } from './inspector/inspector.js';
import { useKeyboard } from './keyboard.js';
import type { RecordingPage } from './page-data.js';
import { ZoneSwitch } from './parts/zone-switch.js';
import { type ComparedConversation, Comparison } from './race/compare/comparison.js';
import { comparedTask, selectedExchange, selectedTask } from './selection.js';
import { ConversationView } from './sequence/conversation-view.js';
import { groupFindings } from './sequence/finding-text.js';

/** The exchanges of files, with a list if there are several conversations. */
export function RecordingApp({ page }: { page: RecordingPage }) {
  const recording = useMemo(() => new RecordingView(page), [page]);
  const [hasHelp, setHelp] = useState(false);
  const { conversations, others, found } = recording;
  const isOne = conversations.length + Number(others.length > 0) === 1;
  // On a narrow screen, the list comes first.
  const first = isOne || innerWidth > 720 ? recording.first : undefined;
  const id = selectedTask.value ?? first;
  const task = conversations.find((each) => each.id === id);
  const exchanges = recording.listExchanges(id);
  const about = useMemo(() => recording.listFindings(exchanges), [recording, exchanges]);
  const exchange = exchanges.find(({ seq }) => seq === selectedExchange.value);
  const shown = filterTasks(conversations, found, (words) => findByExchanges(words, recording.byTask));
  const rows = createListRows(shown, found);
  const onHelp = () => setHelp((isOpen) => !isOpen);
  useKeyboard({ exchanges, items: listTasks(rows), selected: selectedTask, onHelp });
  const region = exchange ? 'at-inspector' : id !== undefined ? 'at-conversation' : 'at-list';
  return (
    <div class={`app ${isOne ? 'recording' : ''} ${region}`}>
      <header class="bar">
        <h1 class="brand">taskdouble</h1> <span class="soft">{toVisible(page.title, 200)}</span>
        <span class="spacer" />
        <span class="wide-only">
          <ZoneSwitch />
        </span>
        <button type="button" aria-label="Help" onClick={() => setHelp(true)}>
          ?
        </button>
      </header>
      {!isOne && <ConversationList all={conversations} rows={rows} found={found} others={others.length} />}
      <main>
        {!isOne && selectedTask.value !== undefined && <BackToList title={task?.title ?? ''} />}
        {id !== undefined && exchanges.length > 0 ? (
          <>
            {task && <ConversationHeader task={task} exchanges={exchanges} findings={about} />}
            <ConversationView
              key={id}
              id={id}
              exchanges={exchanges}
              findings={about}
              baseUrl={undefined}
              isMock={false}
            />
          </>
        ) : (
          <p class="empty">Select a conversation.</p>
        )}
      </main>
      {exchange && (
        <Inspector
          key={exchange.seq}
          exchange={exchange}
          findings={about.filter(({ evidence }) => evidence.includes(exchange.seq))}
          exchanges={exchanges}
          baseUrl={undefined}
          onClose={() => {
            selectedExchange.value = undefined;
          }}
        />
      )}
      {id !== undefined && comparedTask.value !== undefined && (
        <Comparison
          key={`${id} ${comparedTask.value}`}
          one={recording.readConversation(id)}
          other={recording.readConversation(comparedTask.value)}
          baseUrl={undefined}
        />
      )}
      {hasHelp && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

class RecordingView {
  readonly #exchanges = new Map<string, Exchange[]>();
  readonly #bySeq;
  readonly conversations;
  /** Findings by conversation. */
  readonly found = new Map<string, readonly Finding[]>();

  constructor({ exchanges, findings }: RecordingPage) {
    const isOneOrganisation = new Set(exchanges.map(({ organisation }) => organisation)).size <= 1;
    this.#bySeq = groupFindings(findings);
    for (const exchange of exchanges) {
      const task = new ReadExchange(exchange).task;
      // Mocks with the same seed create the same task ids.
      const id = task === undefined ? OTHERS : isOneOrganisation ? task : `${task} ${exchange.organisation}`;
      const group = this.#exchanges.get(id) ?? [];
      group.push(exchange);
      this.#exchanges.set(id, group);
    }
    this.conversations = [...this.#exchanges]
      .filter(([id]) => id !== OTHERS)
      .map(([id, all]) => summarizeExchanges(id, all));
    for (const [id, all] of this.#exchanges) {
      const about = this.listFindings(all);
      if (about.length > 0) this.found.set(id, about);
    }
  }

  readConversation(id: string): ComparedConversation {
    const task = this.conversations.find((each) => each.id === id);
    const about = [task?.status, task?.organisation, task?.scenario].filter(Boolean).join(' · ');
    const exchanges = this.listExchanges(id);
    return { id, title: task?.title ?? id, about, exchanges, findings: this.listFindings(exchanges) };
  }

  get byTask(): ReadonlyMap<string, readonly Exchange[]> {
    return this.#exchanges;
  }

  get others(): readonly Exchange[] {
    return this.#exchanges.get(OTHERS) ?? [];
  }

  /** The first conversation to show: one with a broken rule, if any. */
  get first(): string | undefined {
    const isBroken = ({ id }: { id: string }) => this.found.get(id)?.some(({ level }) => level === 'must');
    return (this.conversations.find(isBroken) ?? this.conversations[0])?.id ?? [...this.#exchanges.keys()][0];
  }

  listExchanges(id: string | undefined): readonly Exchange[] {
    return this.#exchanges.get(id ?? '') ?? NONE;
  }

  listFindings(exchanges: readonly Exchange[]): Finding[] {
    return [...new Set(exchanges.flatMap(({ seq }) => this.#bySeq.get(seq) ?? []))];
  }
}

const NONE: readonly Exchange[] = [];
