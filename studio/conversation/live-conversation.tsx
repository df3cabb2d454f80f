import type { TaskSummary } from '../../mock/control/views.js';
import { type Exchange, type Finding, isActive } from '../../spec/vocabulary.js';
import { readNow } from '../live/live-state.js';
import type { LivePage } from '../page-data.js';
import { ConversationView } from '../sequence/conversation-view.js';
import { ConversationHeader } from './header.js';
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
