import { useState } from 'preact/hooks';
import type { TaskSummary } from '../../mock/control/views.js';
import { toVisible } from '../../spec/visible.js';
import { type Exchange, isActive } from '../../spec/vocabulary.js';
import { admin } from '../live/admin-client.js';
import { readNow } from '../live/live-state.js';
import { docsUrl } from '../parts/docs-link.js';
import { formatCount } from '../parts/format.js';
import { selectedExchange } from '../selection.js';
import { listNowLines, listOpenLines, type NowLine } from './now-lines.js';
import { useWaiting } from './waiting-steps.js';
import './conversation.css';

/** Lines that are shown; of further ones only the number. */
const MOST_SHOWN = 4;

interface NowProps {
  task: TaskSummary;
  exchanges: readonly Exchange[];
}

/** What a conversation of the mock waits for, with buttons that act. Give each task its own `key`. */
export function MockNow({ task, exchanges }: NowProps) {
  const waiting = useWaiting(task.id);
  if (!waiting) return null;
  const lines = listNowLines(waiting, exchanges, readNow(task.organisation) ?? 0);
  const more = waiting.steps.filter(({ missing }) => missing.length === 0).length;
  return <NowLines task={task} lines={lines} isIdle={waiting.steps.length === 0} more={more} />;
}

/** The same for a service behind a proxy, of which only the exchanges are known. */
export function ProxyNow({ task, exchanges }: NowProps) {
  const isOver = !isActive(task.status);
  const lines = isOver ? [] : listOpenLines(exchanges, readNow(task.organisation) ?? 0);
  return <NowLines task={task} lines={lines} />;
}

interface NowLinesProps {
  task: TaskSummary;
  lines: readonly NowLine[];
  /** The agent of the mock has nothing planned. */
  isIdle?: boolean;
  /** Further steps of a mock; undefined for a service. */
  more?: number;
}

function NowLines({ task, lines, isIdle = false, more }: NowLinesProps) {
  const [problem, setProblem] = useState('');
  const act = (sent: Promise<unknown>) =>
    sent.then(
      () => setProblem(''),
      (error: Error) => setProblem(error.message),
    );
  const isRunning = isActive(task.status);
  if (lines.length === 0 && !isRunning) return null;
  if (lines.length === 0 && more === undefined) return null;
  const { organisation } = task;
  const left = Math.max(0, lines.length - MOST_SHOWN) + (more ?? 0);
  const symptom = lines.find((line) => line.symptom)?.symptom;
  const why = symptom && docsUrl('why-does-my-client-hang', symptom);
  const complete = () =>
    act(admin.injectStep(task.id, { service: 'finish', status: 'done', output: 'Completed from studio.' }));
  return (
    <section class="now" aria-label="Now">
      <strong>Now</strong>
      <div class="now-lines">
        {lines.slice(0, MOST_SHOWN).map((line, index) => (
          <NowItem
            key={index}
            line={line}
            organisation={organisation}
            task={task.id}
            canReply={more !== undefined}
            onAct={act}
          />
        ))}
        {isIdle && isRunning && (
          <p class="soft">Nothing is planned: the task runs until you or the client end it.</p>
        )}
        {left > 0 && <p class="soft">{formatCount(left, 'more step')} after that</p>}
        {problem !== '' && (
          <p class="bad" role="alert">
            {toVisible(problem, 300)}
          </p>
        )}
      </div>
      <span class="line">
        {why && (
          <a href={why} target="_blank" rel="noopener">
            Why does my client hang?
          </a>
        )}
        {isRunning && more !== undefined && (
          <button type="button" class="small" onClick={complete}>
            Complete the task
          </button>
        )}
      </span>
    </section>
  );
}

interface NowItemProps {
  line: NowLine;
  organisation: string;
  /** Id. */
  task: string;
  /** A proxy cannot reply: it does not know the key. */
  canReply: boolean;
  onAct: (sent: Promise<unknown>) => void;
}

function NowItem({ line, organisation, task, canReply, onAct }: NowItemProps) {
  const { text, next, exchange, gate, call } = line;
  const [isReplying, setReplying] = useState(false);
  return (
    <div class="now-item">
      <p>
        {toVisible(text, 300)}
        {next && <span class="soft">, then {toVisible(next, 120)}</span>}
      </p>
      {exchange !== undefined && (
        <button
          type="button"
          class="small"
          onClick={() => {
            selectedExchange.value = exchange;
          }}
        >
          Show it
        </button>
      )}
      {gate !== undefined && (
        <button type="button" class="small" onClick={() => onAct(admin.openGate(organisation, gate))}>
          Open {toVisible(gate, 60)}
        </button>
      )}
      {call && canReply && !isReplying && (
        <button type="button" class="small" onClick={() => setReplying(true)}>
          Reply for the client
        </button>
      )}
      {call && isReplying && (
        <ReplyForm
          tool={call.tool}
          onSend={(payload) => {
            setReplying(false);
            const reply = { id: call.id, name: 'tool_call', payload, timestamp: Date.now() };
            onAct(admin.sendEvent(task, reply));
          }}
        />
      )}
    </div>
  );
}

function ReplyForm({ tool, onSend }: { tool: string; onSend: (payload: object) => void }) {
  const [text, setText] = useState('{}');
  const submit = (event: Event) => {
    event.preventDefault();
    onSend({ code: 200, output: parseOutput(text) });
  };
  return (
    <form class="line" onSubmit={submit}>
      <input
        type="text"
        aria-label={`Output of ${toVisible(tool, 60)}, JSON or text`}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="small">
        Send the reply
      </button>
    </form>
  );
}

function parseOutput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
