import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Exchange } from '../spec/vocabulary.js';
import { ClientRun } from './client-run/client-run.js';
import { Controls } from './controls/controls.js';
import { BackToList } from './conversations/back-to-list.js';
import { CompareDemosButton } from './conversations/compare-button.js';
import { LiveList, shownTasks } from './conversations/live-list.js';
import { OTHERS, OtherRequests } from './conversations/other-requests.js';
import { type DemoClient, runDemo } from './demo-clients.js';
import { Help } from './help.js';
import { Inspector } from './inspector/inspector.js';
import { useKeyboard } from './keyboard.js';
import { admin } from './live/admin-client.js';
import { adminToken, isTokenRefused, saveToken } from './live/admin-token.js';
import { JournalLoader } from './live/journal-loader.js';
import {
  connect,
  dropped,
  findings,
  isFollowing,
  loading,
  others,
  tasks,
  updatesByTask,
} from './live/live-state.js';
import { LoadStatus } from './live/load-status.js';
import { NextSteps } from './next-steps.js';
import type { LivePage } from './page-data.js';
import { CopyButton } from './parts/copy-button.js';
import { ZoneSwitch } from './parts/zone-switch.js';
import { LiveComparison } from './race/compare/live-comparison.js';
import {
  comparedTask,
  selectedExchange,
  selectedOrganisation,
  selectedTask,
  selectTask,
} from './selection.js';
import { ConversationView } from './sequence/conversation-view.js';

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
        <LoadStatus />
        {dropped.value > 0 && (
          <span class="warn">{dropped.value} other requests were too many to follow: see the journal</span>
        )}
        <span class="spacer" />
        {page.target === 'mock' && !isEmpty && (
          <span class="wide-only">
            <DemoButtons /> <CompareDemosButton />
          </span>
        )}
        <button type="button" aria-pressed={isFollowing.value} title="space" onClick={toggleFollowing}>
          {isFollowing.value ? 'Following' : 'Paused'}
        </button>
        <button type="button" aria-pressed={hasControls} onClick={() => setControls(!hasControls)}>
          Controls
        </button>
        <span class="wide-only">
          <ZoneSwitch />
        </span>
        <button type="button" aria-label="Help" onClick={() => setHelp(true)}>
          ?
        </button>
      </header>
      <LiveList withoutScenario={page.target === 'mock' ? 'improvised' : undefined} />
      <main>
        {id !== undefined && !isEmpty && <BackToList title={tasks.value.get(id)?.title ?? ''} />}
        {isEmpty && loading.value ? (
          <p class="empty">Loading conversations …</p>
        ) : isEmpty ? (
          <FirstRun baseUrl={page.baseUrl} isMock={page.target === 'mock'} />
        ) : id === OTHERS ? (
          <OtherRequests />
        ) : id !== undefined ? (
          <>
            <ConversationView
              id={id}
              exchanges={exchanges}
              findings={about}
              baseUrl={page.baseUrl}
              isMock={page.target === 'mock'}
            />
            {page.target === 'mock' && <NextSteps key={id} id={id} />}
          </>
        ) : (
          <p class="empty">Select a task on the left, or press ↓.</p>
        )}
      </main>
      {exchange && (
        <Inspector
          key={`${exchange.organisation} ${exchange.seq}`}
          exchange={exchange}
          findings={about.filter(({ evidence }) => evidence.includes(exchange.seq))}
          exchanges={exchanges}
          target={page.target}
          baseUrl={page.baseUrl}
          onClose={() => {
            selectedExchange.value = undefined;
          }}
        />
      )}
      {id !== undefined && comparedTask.value !== undefined && (
        <LiveComparison
          key={`${id} ${comparedTask.value}`}
          id={id}
          other={comparedTask.value}
          baseUrl={page.baseUrl}
        />
      )}
      {hasControls && <Controls target={page.target} />}
      <ClientRun />
      {hasHelp && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

function toggleFollowing(): void {
  isFollowing.value = !isFollowing.value;
}

/** The exchanges of a task, updated while the page follows. */
function useJournal(id: string | undefined): readonly Exchange[] {
  const [state, setState] = useState<{ id: string | undefined; exchanges: readonly Exchange[] }>({
    id: undefined,
    exchanges: NONE,
  });
  const loader = useRef<JournalLoader | undefined>(undefined);
  const news = updatesByTask.value.get(id ?? '') ?? 0;
  const isOn = isFollowing.value;
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
    } else if (!isOn) return;
    loader.current.load();
  }, [id, news, isOn, organisation]);
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

function TokenForm() {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (text !== '') saveToken(text);
  };
  return (
    <main class="token-form">
      <h1>taskdouble studio</h1>
      <p>This mock was started with an admin token. This tab keeps it until you close it.</p>
      <form class="line" onSubmit={submit}>
        <label>
          Admin token{' '}
          <input
            type="password"
            autocomplete="off"
            ref={field}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Open studio
        </button>
      </form>
      <p class="bad" role="alert">
        {isTokenRefused.value && 'The mock refused this token. Enter the one that follows --admin-token.'}
      </p>
    </main>
  );
}

function DemoButtons() {
  const [running, setRunning] = useState<DemoClient | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const run = (kind: DemoClient) => {
    setRunning(kind);
    setProblem('');
    runDemo(kind, selectTask)
      .catch((error: Error) => setProblem(error.message))
      .finally(() => setRunning(undefined));
  };
  const formatLabel = (kind: DemoClient) =>
    kind === 'careful' ? 'Run a demo conversation' : 'Run a hasty client';
  return (
    <span class="demo">
      {(['careful', 'hasty'] as const).map((kind) => (
        <button key={kind} type="button" disabled={running !== undefined} onClick={() => run(kind)}>
          {running === kind ? 'Running …' : formatLabel(kind)}
        </button>
      ))}
      <span class="bad" role="status">
        {problem}
      </span>
    </span>
  );
}

/** The page before the first request. */
function FirstRun({ baseUrl, isMock }: { baseUrl: string; isMock: boolean }) {
  const lines = `id=$(curl -s ${baseUrl}/api/v1/task -H 'apikey: demo' \\\n  -H 'content-type: application/json' -d '{"task":"Find the price of tea"}' | cut -d'"' -f6)\ncurl -s "${baseUrl}/api/v1/task/$id" -H 'apikey: demo'`;
  return (
    <div class="first-run">
      <h2>No conversation yet</h2>
      <p>
        Point your client at <code>{baseUrl}</code>
        {isMock && ', with any API key'}. Every request appears here as it happens.
      </p>
      {isMock && (
        <p>
          <DemoButtons /> <CompareDemosButton />
        </p>
      )}
      {isMock && (
        <p class="soft">
          The hasty client has a common defect. Choose the fault <em>Drop the response to the next reply</em>{' '}
          in the controls, run it, and see its tool run twice.
        </p>
      )}
      <pre>{lines}</pre>
      <CopyButton label="Copy the two lines" text={() => lines} />
    </div>
  );
}
