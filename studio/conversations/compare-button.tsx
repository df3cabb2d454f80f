import { useState } from 'preact/hooks';
import { runDemo } from '../demo-clients.js';
import { fetchAdmin } from '../live/admin-client.js';
import { selectTask } from '../selection.js';
import { beginChoice, canCompare, choosingFor, compareTasks } from './compare-choice.js';

/** Starts the choice of another conversation in the list. */
export function CompareButton({ id }: { id: string }) {
  if (!canCompare.value) return null;
  return (
    <button
      type="button"
      class="small"
      aria-pressed={choosingFor.value === id}
      title="Ctrl and a click on another conversation does the same"
      onClick={() => beginChoice(id)}
    >
      Compare with …
    </button>
  );
}

/** Each client meets it. */
const FAULT = 'drop response of reply times 1';

/** Runs both demo clients, each with a lost response, and compares their conversations. */
export function CompareDemosButton() {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState('');
  const run = async () => {
    setRunning(true);
    setProblem('');
    let first = '';
    const addFault = () => fetchAdmin('/network?key=demo', { method: 'POST', body: FAULT });
    try {
      await addFault();
      await runDemo('careful', (id) => {
        first = id;
        selectTask(id);
      });
      await addFault();
      await runDemo('hasty', (id) => compareTasks(first, id));
    } catch (error) {
      setProblem((error as Error).message);
    }
    setRunning(false);
  };
  return (
    <span class="demo">
      <button type="button" disabled={isRunning} onClick={run}>
        {isRunning ? 'Running both …' : 'Compare both clients'}
      </button>
      <span class="bad" role="status">
        {problem}
      </span>
    </span>
  );
}
