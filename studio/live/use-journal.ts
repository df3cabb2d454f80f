import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Exchange } from '../../spec/vocabulary.js';
import { JournalLoader } from './journal-loader.js';
import { resetCount, tasks, updatesByTask } from './live-state.js';

interface LoadedJournal {
  loader: JournalLoader | undefined;
  exchanges: readonly Exchange[];
}

const NONE: readonly Exchange[] = [];

/** The exchanges of a task, also while they arrive. After a reset, a task may come again with the same id. */
export function useJournal(id: string | undefined): readonly Exchange[] {
  const [loaded, setLoaded] = useState<LoadedJournal>({ loader: undefined, exchanges: NONE });
  const loader: JournalLoader | undefined = useMemo(() => {
    if (id === undefined) return undefined;
    const findOrganisation = () => tasks.value.get(id)?.organisation;
    return new JournalLoader(id, findOrganisation, (exchanges) => setLoaded({ loader, exchanges }));
  }, [id, resetCount.value]);
  useEffect(() => () => loader?.stop(), [loader]);
  // A new number means new exchanges.
  const news = updatesByTask.value.get(id ?? '');
  const organisation = tasks.value.get(id ?? '')?.organisation;
  useEffect(() => loader?.load(), [loader, news, organisation]);
  return loaded.loader === loader ? loaded.exchanges : NONE;
}
