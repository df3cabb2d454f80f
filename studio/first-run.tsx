import { useState } from 'preact/hooks';
import { CompareDemosButton } from './conversations/compare-button.js';
import { type DemoClient, runDemo } from './demo-clients.js';
import { resetCount } from './live/live-state.js';
import { CopyButton } from './parts/copy-button.js';
import { selectTask } from './selection.js';

export function DemoButtons() {
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
export function FirstRun({ baseUrl, isMock }: { baseUrl: string; isMock: boolean }) {
  const lines = `id=$(curl -s ${baseUrl}/api/v1/task -H 'apikey: demo' \\\n  -H 'content-type: application/json' -d '{"task":"Find the price of tea"}' | cut -d'"' -f6)\ncurl -s "${baseUrl}/api/v1/task/$id" -H 'apikey: demo'`;
  return (
    <div class="first-run">
      <h2>No conversation yet</h2>
      {resetCount.value > 0 && <p role="status">A reset has removed the earlier conversations.</p>}
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
