import { useEffect, useState } from 'preact/hooks';
import { toVisible } from '../spec/visible.js';
import { OTHERS } from './conversations/other-requests.js';
import { admin } from './live/admin-client.js';
import { connection } from './live/live-state.js';
import { selectTask } from './selection.js';

/** True if the mock or proxy has no exchange of the selected task. `isListed`: the page knows the task. */
export function useIsUnknown(id: string | undefined, isListed: boolean): boolean {
  const [unknown, setUnknown] = useState<string | undefined>(undefined);
  const isOpen = connection.value === 'open';
  useEffect(() => {
    if (id === undefined || id === OTHERS || isListed || !isOpen) return;
    admin.fetchJournal({ task: id, limit: 1 }).then(
      (found) => setUnknown(found.length === 0 ? id : undefined),
      () => {},
    );
  }, [id, isListed, isOpen]);
  return !isListed && id !== undefined && unknown === id;
}

export function UnknownConversation({ id }: { id: string }) {
  return (
    <div class="first-run" role="status">
      <h2>This conversation is not here</h2>
      <p>
        There is no task <code>{toVisible(id, 80)}</code>. It was made before the last restart or reset, or
        belongs to another mock.
      </p>
      <p>
        Run the client again, or open a saved journal with <code>taskdouble view FILE</code>.
      </p>
      <button type="button" onClick={() => selectTask(undefined)}>
        Show what is here
      </button>
    </div>
  );
}
