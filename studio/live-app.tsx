import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TaskSummary } from '../mock/control/views.js';
import { type Exchange, type Finding, isActive } from '../spec/vocabulary.js';
import { ClientRun } from './client-run/client-run.js';
import { outcome } from './controls/control-parts.js';
import { Controls } from './controls/controls.js';
import { ConversationHeader } from './conversation/header.js';
import { MockNow, ProxyNow } from './conversation/now.js';
import { BackToList } from './conversations/back-to-list.js';
import { LiveList, shownTasks } from './conversations/live-list.js';
import { OTHERS, OtherRequests } from './conversations/other-requests.js';
import { DemoButtons, FirstRun } from './first-run.js';
import { Help } from './help.js';
import { Inspector } from './inspector/inspector.js';
import { useKeyboard } from './keyboard.js';
import { admin } from './live/admin-client.js';
import { adminToken } from './live/admin-token.js';
import { JournalLoader } from './live/journal-loader.js';
import {
  connect,
  connection,
  dropped,
  findings,
  isFollowing,
  lostCount,
  others,
  readNow,
  tasks,
  updatesByTask,
} from './live/live-state.js';
import { TokenForm } from './live/token-form.js';
import type { LivePage } from './page-data.js';
import { formatCount } from './parts/format.js';
import { selectedExchange, selectedOrganisation, selectedTask } from './selection.js';
import { ConversationView } from './sequence/conversation-view.js';
import { UnknownConversation, useIsUnknown } from './unknown-conversation.js';

export function LiveApp({ page }: { page: LivePage }) {
  return page.needsToken && adminToken.value === undefined ? <TokenForm /> : <Studio page={page} />;
}

function Studio({ page }: { page: LivePage }) {
  useEffect(connect, []);
  const [hasControls, setControls] = useState(innerWidth > 1100);
  const [hasHelp, setHelp] = useState(false);
  const id = selectedTask.value;
  const exchanges = useJournal(id);
  const about = useMemo(() => findings.value.filter(({ task }) => task === id), [findings.value, id]);
  const exchange = useSelectedExchange(exchanges);
  const task = tasks.value.get(id ?? '');
  const isUnknown = useIsUnknown(id, task !== undefined);
  // What the last control did was about another task.
  useEffect(() => {
    outcome.value = undefined;
  }, [id]);
  // A task that is over is shown from its beginning.
  useEffect(() => {
    if (task) isFollowing.value = isActive(task.status) && selectedExchange.value === undefined;
  }, [id, task !== undefined]);
  const onHelp = () => setHelp((isOpen) => !isOpen);
  useKeyboard({ exchanges, items: shownTasks.value, selected: selectedTask, onHelp });
  const isEmpty = tasks.value.size === 0 && others.value.length === 0;
  const region = exchange ? 'at-inspector' : id !== undefined ? 'at-conversation' : 'at-list';
  return (
    <div class={`app ${region} ${hasControls ? 'with-controls' : ''}`}>
      <header class="bar">
        <strong class="brand">taskdouble</strong>{' '}
        <span class="soft wide-only">
          {page.target} at {page.baseUrl}
        </span>
        <span class={`connection ${connection.value}`} role="status">
          {CONNECTIONS[connection.value]}
        </span>
        {dropped.value > 0 && (
          <span class="warn">{dropped.value} other requests were too many to follow: see the journal</span>
        )}
        {lostCount.value > 0 && <RestartNotice />}
        <span class="spacer" />
        {page.target === 'mock' && !isEmpty && (
          <span class="wide-only">
            <DemoButtons />
          </span>
        )}
        <button
          type="button"
          aria-pressed={isFollowing.value}
          title="Space: stay at the end"
          onClick={toggleFollowing}
        >
          Follow
        </button>
        <button type="button" aria-pressed={hasControls} onClick={() => setControls(!hasControls)}>
          Controls
        </button>
        <button type="button" aria-label="Help" onClick={() => setHelp(true)}>
          ?
        </button>
      </header>
      <LiveList withoutScenario={page.target === 'mock' ? 'improvised' : undefined} />
      <main>
        {id !== undefined && !isEmpty && <BackToList title={task?.title ?? ''} />}
        {id === OTHERS ? (
          <OtherRequests />
        ) : task ? (
          <Conversation key={task.id} page={page} task={task} exchanges={exchanges} findings={about} />
        ) : isUnknown ? (
          <UnknownConversation id={id ?? ''} />
        ) : isEmpty ? (
          <FirstRun baseUrl={page.baseUrl} isMock={page.target === 'mock'} />
        ) : (
          id === undefined && <p class="empty">Select a task on the left, or press ↓.</p>
        )}
      </main>
      {exchange && (
        <Inspector
          key={`${exchange.organisation} ${exchange.seq}`}
          exchange={exchange}
          findings={about.filter(({ evidence }) => evidence.includes(exchange.seq))}
          baseUrl={page.baseUrl}
          onClose={() => {
            selectedExchange.value = undefined;
          }}
        />
      )}
      {hasControls && <Controls target={page.target} />}
      <ClientRun />
      {hasHelp && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

interface ConversationProps {
  page: LivePage;
  task: TaskSummary;
  exchanges: readonly Exchange[];
  findings: readonly Finding[];
}

function Conversation({ page, task, exchanges, findings }: ConversationProps) {
  const isMock = page.target === 'mock';
  const Now = isMock ? MockNow : ProxyNow;
  return (
    <>
      <ConversationHeader
        task={task}
        exchanges={exchanges}
        findings={findings}
        now={readNow(task.organisation)}
        withoutScenario={isMock ? 'improvised' : undefined}
      />
      <Now task={task} exchanges={exchanges} />
      <ConversationView
        id={task.id}
        exchanges={exchanges}
        findings={findings}
        baseUrl={page.baseUrl}
        isMock={isMock}
        isRunning={isActive(task.status)}
      />
    </>
  );
}

function RestartNotice() {
  const count = lostCount.value;
  return (
    <span class="warn" role="status">
      The mock was restarted: {formatCount(count, 'conversation')} {count === 1 ? 'is' : 'are'} gone.{' '}
      <button
        type="button"
        class="small"
        onClick={() => {
          lostCount.value = 0;
        }}
      >
        OK
      </button>
    </span>
  );
}

const CONNECTIONS = { connecting: 'connecting …', open: 'live', closed: 'not connected: trying again' };

function toggleFollowing(): void {
  isFollowing.value = !isFollowing.value;
}

/** The exchanges of a task. */
function useJournal(id: string | undefined): readonly Exchange[] {
  const [state, setState] = useState<{ id: string | undefined; exchanges: readonly Exchange[] }>({
    id: undefined,
    exchanges: NONE,
  });
  const loader = useRef<JournalLoader | undefined>(undefined);
  const news = updatesByTask.value.get(id ?? '') ?? 0;
  const organisation = tasks.value.get(id ?? '')?.organisation;
  // A new value of `news` means new exchanges.
  useEffect(() => {
    if (id === undefined || id === OTHERS) return;
    if (loader.current?.id !== id) {
      loader.current?.stop();
      loader.current = new JournalLoader(
        id,
        () => tasks.value.get(id)?.organisation,
        (exchanges) => setState({ id, exchanges }),
      );
    }
    loader.current.load();
  }, [id, news, organisation]);
  return state.id === id ? state.exchanges : NONE;
}

const NONE: readonly Exchange[] = [];

/** An exchange of the selected task, or one of the other requests, which is loaded on its own. */
function useSelectedExchange(exchanges: readonly Exchange[]): Exchange | undefined {
  const [other, setOther] = useState<Exchange | undefined>(undefined);
  const [seq, organisation] = [selectedExchange.value, selectedOrganisation.value];
  useEffect(() => {
    setOther(undefined);
    if (seq === undefined || organisation === undefined) return;
    admin.fetchJournal({ organisation, since: seq - 1, limit: 1 }).then(
      ([found]) => setOther(found),
      () => {},
    );
  }, [seq, organisation]);
  if (seq === undefined) return undefined;
  return organisation === undefined ? exchanges.find((each) => each.seq === seq) : other;
}
