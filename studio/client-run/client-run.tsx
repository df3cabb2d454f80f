import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AdminResponses } from '../../mock/admin/admin-routes.js';
import type { ScenarioView } from '../../mock/control/mock-scenarios.js';
import { toVisible } from '../../spec/visible.js';
import type { Finding } from '../../spec/vocabulary.js';
import { admin } from '../live/admin-client.js';
import { clientRuns, tasks } from '../live/live-state.js';
import { formatCount, formatDuration } from '../parts/format.js';
import { groupByLevel } from '../parts/group-by-level.js';
import { selectedExchange, selectTask } from '../selection.js';
import { loadClientOutput, shownOutput } from './client-output.js';
import './client-run.css';

type RunsView = AdminResponses['GET /client/runs'];
type RunView = RunsView['runs'][number];

/** Runs the client that the mock was started with; nothing if it was started without one. */
export function ClientRun() {
  const runs = clientRuns.value;
  return runs ? <ClientPanel runs={runs} /> : null;
}

function ClientPanel({ runs: { command, is_watching: isWatching, runs } }: { runs: RunsView }) {
  const [scenario, setScenario] = useState(runs.at(-1)?.scenario ?? '');
  const [watches, setWatches] = useState(isWatching);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState('');
  const last = runs.at(-1);
  const isRunning = last?.state === 'running';
  const { id = 0, printed = 0 } = last ?? {};
  useEffect(() => {
    if (id > 0) loadClientOutput(id);
  }, [id, printed]);
  useFirstTask(isOpen ? last : undefined);
  const send = (action: Promise<unknown>) => {
    setProblem('');
    setOpen(true);
    action.catch((error: Error) => setProblem(error.message));
  };
  const run = (event: Event) => {
    event.preventDefault();
    send(admin.runClient({ ...(scenario !== '' && { scenario }), watch: watches }));
  };
  return (
    <section class="client-run" aria-label="Your client">
      <form class="line" onSubmit={run}>
        <strong>Your client</strong> <code class="command">{toVisible(command, 200)}</code>
        <ScenarioField name={scenario} onChange={setScenario} />
        <label class="check">
          <input
            type="checkbox"
            checked={watches}
            onChange={({ currentTarget }) => setWatches(currentTarget.checked)}
          />{' '}
          watch files
        </label>
        {isRunning || isWatching ? (
          <button type="button" onClick={() => send(admin.stopClient())}>
            {isRunning ? 'Stop' : 'Stop watching'}
          </button>
        ) : null}
        <button type="submit" class="primary" disabled={isRunning}>
          Run
        </button>
        <span role="status">
          {problem ? <span class="bad">{toVisible(problem, 300)}</span> : last && <Verdict run={last} />}
          {isWatching && !isRunning && <span class="soft"> · waits for a change</span>}
        </span>
        <span class="spacer" />
        {last && (
          <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide output' : 'Show output'}
          </button>
        )}
      </form>
      {isOpen && last && (
        <div class="client-result">
          <Output />
          {last.findings.length > 0 && <FindingList findings={last.findings} />}
        </div>
      )}
    </section>
  );
}

/** Selects the first task that a run creates while the panel is open. */
function useFirstTask(run: RunView | undefined): void {
  const shown = useRef(0);
  const { id = 0, organisation } = run ?? {};
  const all = tasks.value;
  useEffect(() => {
    if (id === shown.current || organisation === undefined) return;
    for (const task of all.values()) {
      if (task.organisation !== organisation) continue;
      shown.current = id;
      selectTask(task.id);
      return;
    }
  }, [id, organisation, all]);
}

function ScenarioField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const [all, setAll] = useState<readonly ScenarioView[]>([]);
  useEffect(() => void admin.fetchScenarios().then(setAll, () => {}), []);
  return (
    <>
      <input
        type="text"
        list="client-scenarios"
        aria-label="Scenario of the run"
        placeholder="no scenario"
        value={name}
        onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
      <datalist id="client-scenarios">
        {all.map((each) => (
          <option key={each.name} value={each.name}>
            {each.title}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** `✓ exit code 0, 1.2 s: no rule is broken`. */
function Verdict({ run }: { run: RunView }) {
  const { id, state, exit_code: code, signal, problem, findings, duration_ms: ms } = run;
  const took = ms === undefined ? '' : `, ${formatDuration(ms)}`;
  if (state === 'running') return <span class="soft">Run {id} …</span>;
  if (state === 'stopped')
    return (
      <span class="soft">
        Run {id} was stopped{took}
      </span>
    );
  const groups = groupByLevel(findings);
  const isGood = code === 0 && !findings.some(({ level }) => level === 'must');
  const how = problem ?? (signal === null ? `exit code ${code}` : `ended by ${signal}`);
  return (
    <span class={isGood ? 'good' : 'bad'}>
      {isGood ? '✓' : '✗'} Run {id}: {toVisible(how, 300)}
      {took}
      {findings.length === 0 && ': no rule is broken'}
      {groups.map(({ sign, tone, name, findings: found }) => (
        <span key={tone} class={`badge ${tone}`} title={formatCount(found.length, name)}>
          {' '}
          {found.length} {sign}
        </span>
      ))}
    </span>
  );
}

function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul class="client-findings" aria-label="Findings of the run">
      {groupByLevel(findings).flatMap(({ sign, tone, findings: found }) =>
        found.map((finding, index) => (
          <li key={`${tone} ${index}`}>
            <span class={tone}>{sign}</span> {toVisible(finding.message, 600)}{' '}
            <span class="soft">
              {finding.rule}, {finding.requirement}
            </span>{' '}
            <EvidenceButton finding={finding} />
          </li>
        )),
      )}
    </ul>
  );
}

function EvidenceButton({ finding: { task, evidence } }: { finding: Finding }) {
  const [seq] = evidence.slice(-1);
  if (seq === undefined || task === undefined) return null;
  const show = () => {
    selectTask(task);
    selectedExchange.value = seq;
  };
  return (
    <button type="button" class="small" onClick={show}>
      Exchange {seq}
    </button>
  );
}

/** Colors of a terminal. */
const SGR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/** Follows the end of the output while the reader is there. */
function Output() {
  const element = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  const output = shownOutput.value;
  useLayoutEffect(() => {
    const { current } = element;
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [output]);
  const noteScroll = ({ currentTarget }: { currentTarget: HTMLPreElement }) => {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget;
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
  };
  return (
    <pre ref={element} tabIndex={0} role="log" aria-label="Output of the client" onScroll={noteScroll}>
      {output !== undefined && output.leftOut > 0 && (
        <span class="soft">
          {formatCount(output.leftOut, 'character')} before this are not shown{'\n'}
        </span>
      )}
      {output?.parts.map(({ from, text }, index) => (
        <span key={index} class={from === 'stderr' ? 'warn' : ''}>
          {toVisible(text.replace(SGR, ''))}
        </span>
      ))}
      {output?.parts.length === 0 && <span class="soft">It has printed nothing.</span>}
    </pre>
  );
}
