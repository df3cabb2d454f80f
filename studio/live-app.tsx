import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Exchange, isActive } from '../spec/vocabulary.js';
import { ClientRun } from './client-run/client-run.js';
import { outcome } from './controls/control-parts.js';
import { Controls } from './controls/controls.js';
import { LiveConversation } from './conversation/live-conversation.js';
import { BackToList } from './conversations/back-to-list.js';
import { CompareDemosButton } from './conversations/compare-button.js';
import { LiveList, shownTasks } from './conversations/live-list.js';
import { OTHERS, OtherRequests } from './conversations/other-requests.js';
import { DemoButtons, FirstRun } from './first-run.js';
import { Help } from './help.js';
import { Inspector } from './inspector/inspector.js';
import { useKeyboard } from './keyboard.js';
import { admin } from './live/admin-client.js';
import { adminToken } from './live/admin-token.js';
import { connect } from './live/connect.js';
import { dropped, findings, isFollowing, loading, others, tasks } from './live/live-state.js';
import { LoadStatus } from './live/load-status.js';
import { RestartNotice } from './live/restart-notice.js';
import { TokenForm } from './live/token-form.js';
import { useJournal } from './live/use-journal.js';
import type { LivePage } from './page-data.js';
import { ZoneSwitch } from './parts/zone-switch.js';
import { LiveComparison } from './race/compare/live-comparison.js';
import { comparedTask, selectedExchange, selectedOrganisation, selectedTask } from './selection.js';
import { UnknownConversation, useIsUnknown } from './unknown-conversation.js';

export function LiveApp({ page }: { page: LivePage }) {
  return page.needsToken && adminToken.value === undefined ? <TokenForm /> : <Studio page={page} />;
}

function Studio({ page }: { page: LivePage }) {
  useEffect(connect, []);
  const [hasControls, setControls] = useState(innerWidth > 1100);
  const [hasHelp, setHelp] = useState(false);
  const id = selectedTask.value;
  const exchanges = useJournal(id === OTHERS ? undefined : id);
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
        <h1 class="brand">taskdouble</h1>{' '}
        <span class="soft address">
          {page.target} at {page.baseUrl}
        </span>
        <LoadStatus />
        {dropped.value > 0 && (
          <span class="warn">{dropped.value} other requests were too many to follow: see the journal</span>
        )}
        <RestartNotice />
        <span class="spacer" />
        {page.target === 'mock' && !isEmpty && (
          <span class="demos">
            <DemoButtons /> <CompareDemosButton />
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
        <span class="wide-only">
          <ZoneSwitch />
        </span>
        <button type="button" aria-label="Help" onClick={() => setHelp(true)}>
          ?
        </button>
      </header>
      <LiveList withoutScenario={page.target === 'mock' ? 'improvised' : undefined} />
      <main>
        {id !== undefined && !isEmpty && <BackToList title={task?.title ?? ''} />}
        {isEmpty && loading.value ? (
          <p class="empty">Loading conversations …</p>
        ) : id === OTHERS ? (
          <OtherRequests />
        ) : task ? (
          <LiveConversation key={task.id} page={page} task={task} exchanges={exchanges} findings={about} />
        ) : isUnknown ? (
          <UnknownConversation id={id ?? ''} />
        ) : isEmpty && id === undefined ? (
          <FirstRun baseUrl={page.baseUrl} isMock={page.target === 'mock'} />
        ) : (
          <p class="empty">
            {id === undefined ? 'Select a task on the left, or press ↓.' : 'Loading the conversation …'}
          </p>
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
