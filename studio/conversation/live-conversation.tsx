import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TaskSummary } from '../../mock/control/views.js';
import { type Exchange, type Finding, isActive } from '../../spec/vocabulary.js';
import { admin } from '../live/admin-client.js';
import { readNow } from '../live/live-state.js';
import type { LivePage } from '../page-data.js';
import { ConversationView } from '../sequence/conversation-view.js';
import { ConversationHeader, readResult, type TaskResult } from './header.js';
import { MockNow, ProxyNow } from './now.js';

interface LiveConversationProps {
  page: LivePage;
  task: TaskSummary;
  exchanges: readonly Exchange[];
  findings: readonly Finding[];
}

/** Give each task its own `key`. */
export function LiveConversation({ page, task, exchanges, findings }: LiveConversationProps) {
  const isMock = page.target === 'mock';
  const Now = isMock ? MockNow : ProxyNow;
  const isOver = !isActive(task.status);
  const isPolled = useMemo(() => isOver && readResult(exchanges) !== undefined, [isOver, exchanges]);
  const known = useResult(task, isMock && !isPolled);
  return (
    <>
      <ConversationHeader
        task={task}
        exchanges={exchanges}
        findings={findings}
        now={readNow(task.organisation)}
        known={known}
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

/** Time for the exchange that ended a task to be loaded, ms. */
const LOADING_MS = 400;

/** The output of a task of the mock that is over: the client may poll it later, or never. */
function useResult({ id, status }: TaskSummary, isWanted: boolean): TaskResult | undefined {
  const [result, setResult] = useState<TaskResult | undefined>(undefined);
  const isOver = !isActive(status);
  useEffect(() => {
    if (!isWanted || !isOver) return;
    const load = () =>
      admin.fetchTask(id).then(
        ({ output, credits_used: credits }) => setResult({ output, credits }),
        () => {},
      );
    const timer = setTimeout(load, LOADING_MS);
    return () => clearTimeout(timer);
  }, [id, isOver, isWanted]);
  return result;
}
