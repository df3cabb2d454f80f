import { useState } from 'preact/hooks';
import { parseDuration } from '../../../spec/duration.js';
import { toVisible } from '../../../spec/visible.js';
import { admin } from '../../live/admin-client.js';
import { clocks, readNow, tasks } from '../../live/live-state.js';
import { formatDate, formatDuration } from '../../parts/format.js';
import { ZoneSwitch } from '../../parts/zone-switch.js';
import { Button, Group, perform } from '../control-parts.js';
import { ClockMode } from './clock-mode.js';
import { type DueViews, listDueWork, listEndedTasks, type Move, useDueWork } from './due-work.js';

const STEPS = [
  { label: '+1 s', ms: 1000 },
  { label: '+10 s', ms: 10_000 },
  { label: '+1 min', ms: 60_000 },
  { label: '+10 min', ms: 600_000 },
] as const;

interface PlannedMove {
  move: Move;
  what: string;
}

function createMove(ms: number): PlannedMove {
  return { move: { advance: ms }, what: `the clock is ${formatDuration(ms).replace('.00', '')} later` };
}

export function ClockControl({ organisation }: { organisation: string | undefined }) {
  const clock = organisation === undefined ? [...clocks.value.values()][0] : clocks.value.get(organisation);
  const views = useDueWork(organisation);
  const [question, setQuestion] = useState<PlannedMove | undefined>(undefined);
  if (!clock)
    return (
      <Group title="Clock" docs={['build-a-client', 'clocks']}>
        <p class="soft">A clock starts with the first request of an API key.</p>
      </Group>
    );
  const now = readNow(clock.organisation) ?? clock.now;
  const moveClock = ({ move, what }: PlannedMove) => {
    setQuestion(undefined);
    const moved: Promise<unknown> =
      'advance' in move
        ? admin.setClock(organisation, move)
        : // Not to the next planned work: an earlier change may have made that void.
          Promise.all(
            views.flatMap(({ organisation: each, due: [first] }) =>
              first ? admin.setClock(each, { to: first.at }) : [],
            ),
          );
    return perform(what, moved);
  };
  /** Asks first where a task would end by it. */
  const plan = (planned: PlannedMove) =>
    listEndedTasks(views, planned.move).length === 0 ? moveClock(planned) : setQuestion(planned);
  const [next] = listDueWork(views);
  return (
    <Group title="Clock" docs={['build-a-client', 'clocks']}>
      <p>
        {formatDate(now)}{' '}
        <span class="narrow-only">
          <ZoneSwitch />
        </span>
      </p>
      <ClockMode clock={clock} organisation={organisation} />
      <div class="line">
        {STEPS.map(({ label, ms }) => (
          <Button key={label} label={label} onClick={() => plan(createMove(ms))} />
        ))}
      </div>
      <FreeStep onMove={plan} />
      <Button
        label={next ? `To the next event: ${describeDue(next)}` : 'To the next event'}
        problem={next ? undefined : 'Nothing is due: the clock cannot move to the next event.'}
        onClick={() => plan({ move: { to: 'next' }, what: 'the clock is at the next event' })}
      />
      {question && (
        <Question
          ended={listEndedTasks(views, question.move)}
          onConfirm={() => moveClock(question)}
          onCancel={() => setQuestion(undefined)}
        />
      )}
      <DueList views={views} />
    </Group>
  );
}

function FreeStep({ onMove }: { onMove: (planned: PlannedMove) => void }) {
  const [text, setText] = useState('');
  const ms = parseDuration(/^[\d.]+$/.test(text.trim()) ? `${text.trim()}s` : text);
  const problem =
    text.trim() === ''
      ? 'Enter a duration: 90s, 5m, 1h.'
      : ms === undefined
        ? `"${text}" is no duration: write 300ms, 90s, 5m or 1h.`
        : undefined;
  const submit = (event: Event) => {
    event.preventDefault();
    if (ms !== undefined) onMove(createMove(ms));
  };
  return (
    <form class="line" onSubmit={submit}>
      <input
        type="text"
        aria-label="Move the clock by"
        placeholder="90s"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button label="Move" problem={problem} onClick={() => onMove(createMove(ms!))} />
    </form>
  );
}

function Question({
  ended,
  onConfirm,
  onCancel,
}: {
  ended: readonly { task?: string; ends?: string }[];
  onConfirm: () => void;
  onCancel: () => void;
}) {
  return (
    <div class="question" role="alert">
      {ended.map(({ task = '', ends }) => (
        <p key={task}>
          This ends a task: “{formatTitle(task)}” {ends === 'failed' ? 'fails' : `is ${ends}`} by its
          time-out.
        </p>
      ))}
      <div class="line">
        <Button label="Move the clock" onClick={onConfirm} />
        <Button label="Cancel" onClick={onCancel} />
      </div>
    </div>
  );
}

/** Shown lines; of later ones only the number. */
const MOST_SHOWN = 5;

function DueList({ views }: { views: DueViews }) {
  const all = listDueWork(views);
  const more = views.reduce((sum, view) => sum + view.more, Math.max(0, all.length - MOST_SHOWN));
  return (
    <ol class="due" aria-label="What is due">
      {all.slice(0, MOST_SHOWN).map((each) => (
        <li key={`${each.at} ${each.task} ${each.what}`} class={each.ends ? 'warn' : undefined}>
          {describeDue(each)}
          {each.task !== undefined && <span class="soft"> · {formatTitle(each.task)}</span>}
        </li>
      ))}
      {more > 0 && <li class="soft">and {more} later</li>}
    </ol>
  );
}

function describeDue({ what, ends, left }: ReturnType<typeof listDueWork>[number]): string {
  const end = ends === undefined ? '' : ends === 'failed' ? ': the task fails' : `: the task is ${ends}`;
  return toVisible(`${what}${end}, in ${formatDuration(left)}`, 120);
}

function formatTitle(task: string): string {
  return toVisible(tasks.value.get(task)?.title ?? task, 60);
}
