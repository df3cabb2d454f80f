import type { Finding } from '../../../spec/vocabulary.js';
import { findingsByTask, tasks } from '../../live/live-state.js';
import { useJournal } from '../../live/use-journal.js';
import { formatKeyName } from '../../parts/key-name.js';
import { UnknownConversation, useIsUnknown } from '../../unknown-conversation.js';
import { type ComparedConversation, Comparison } from './comparison.js';

const NO_FINDINGS: readonly Finding[] = [];

/** Two conversations of a running mock or proxy, also while they go on. Give each pair its own `key`. */
export function LiveComparison({ id, other, baseUrl }: { id: string; other: string; baseUrl: string }) {
  const [one, another] = [useConversation(id), useConversation(other)];
  const isUnknown = useIsUnknown(id, tasks.value.has(id));
  const isOtherUnknown = useIsUnknown(other, tasks.value.has(other));
  if (!isUnknown && !isOtherUnknown) return <Comparison one={one} other={another} baseUrl={baseUrl} />;
  return (
    <main class="comparison" aria-label="Comparison">
      <UnknownConversation id={isUnknown ? id : other} />
    </main>
  );
}

function useConversation(id: string): ComparedConversation {
  const exchanges = useJournal(id);
  const task = tasks.value.get(id);
  const findings = findingsByTask.value.get(id) ?? NO_FINDINGS;
  const about = [task?.status, task && formatKeyName(task.organisation), task?.scenario];
  return { id, title: task?.title ?? id, about: about.filter(Boolean).join(' · '), exchanges, findings };
}
