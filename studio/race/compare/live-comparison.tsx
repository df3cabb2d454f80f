import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Exchange, Finding } from '../../../spec/vocabulary.js';
import { JournalLoader } from '../../live/journal-loader.js';
import { findingsByTask, tasks, updatesByTask } from '../../live/live-state.js';
import { formatKeyName } from '../../parts/key-name.js';
import { type ComparedConversation, Comparison } from './comparison.js';

const NO_FINDINGS: readonly Finding[] = [];

/** Two conversations of a running mock or proxy, also while they go on. Give each pair its own `key`. */
export function LiveComparison({ id, other, baseUrl }: { id: string; other: string; baseUrl: string }) {
  return <Comparison one={useConversation(id)} other={useConversation(other)} baseUrl={baseUrl} />;
}

function useConversation(id: string): ComparedConversation {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const task = tasks.value.get(id);
  const loader = useMemo(
    () => new JournalLoader(id, () => tasks.value.get(id)?.organisation, setExchanges),
    [id],
  );
  useEffect(() => () => loader.stop(), [loader]);
  const news = updatesByTask.value.get(id);
  useEffect(loader.load, [loader, news, task?.organisation]);
  const findings = findingsByTask.value.get(id) ?? NO_FINDINGS;
  const about = [task?.status, task && formatKeyName(task.organisation), task?.scenario];
  return { id, title: task?.title ?? id, about: about.filter(Boolean).join(' · '), exchanges, findings };
}
