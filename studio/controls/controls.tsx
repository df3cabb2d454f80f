import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { admin, type RuleView, type ScenarioListing, type ScenarioPreview } from '../live/admin-client.js';
import { clocks, gates, nowOf, rules, tasks } from '../live/live-state.js';
import { duration, visible } from '../parts/show.js';
import { selectedTask } from '../selection.js';
import { describeRule } from './describe-rule.js';
import { PRESETS } from './presets.js';

/** The last thing that a control did, or why it could not. */
const outcome = signal<{ text: string; isError: boolean } | undefined>(undefined);

async function perform(what: string, action: Promise<unknown>): Promise<void> {
  outcome.value = await action.then(
    () => ({ text: what, isError: false }),
    (error: Error) => ({ text: error.message, isError: true }),
  );
}

/** Undefined: all organisations. */
function currentOrganisation(): string | undefined {
  return tasks.value.get(selectedTask.value ?? '')?.organisation;
}

export function Controls({ target }: { target: 'mock' | 'proxy' }) {
  const organisation = currentOrganisation();
  return (
    <section class="controls" aria-label="Controls">
      <p class="scope soft" role="status">
        {organisation === undefined ? 'For all organisations' : `For ${organisation}, of the selected task`}
        {outcome.value && (
          <span class={outcome.value.isError ? 'bad' : 'good'}> · {visible(outcome.value.text, 300)}</span>
        )}
      </p>
      <Faults organisation={organisation} />
      {target === 'mock' && <ClockControl organisation={organisation} />}
      <Gates organisation={organisation} />
      {target === 'mock' && <NextScenario organisation={organisation} />}
      {target === 'mock' && <TaskControl />}
      <State target={target} />
    </section>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function Button({
  label,
  onClick,
  isDisabled = false,
}: {
  label: string;
  onClick: () => void;
  isDisabled?: boolean;
}) {
  return (
    <button type="button" disabled={isDisabled} onClick={onClick}>
      {label}
    </button>
  );
}

function Faults({ organisation }: { organisation: string | undefined }) {
  const [text, setText] = useState('');
  const isEmpty = clocks.value.size === 0;
  const add = (rule: string) => {
    // Without any organisation the rule waits for those to come.
    const added = isEmpty ? admin.setRulesForAll(rule) : admin.addRules(organisation, rule);
    return perform(`added "${rule}"`, added);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    await add(text);
    if (!outcome.value?.isError) setText('');
  };
  const shown =
    organisation === undefined ? [...rules.value.values()].flat() : (rules.value.get(organisation) ?? []);
  return (
    <Group title="Faults">
      <div class="presets">
        {PRESETS.map(({ label, rule }) => (
          <Button key={label} label={label} onClick={() => add(rule)} />
        ))}
      </div>
      <form class="line" onSubmit={submit}>
        <input
          type="text"
          aria-label="Rule in shorthand"
          placeholder="fail 503 of poll times 2"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" disabled={text.trim() === ''}>
          Add rule
        </button>
      </form>
      <ul class="rules" aria-label="Active rules">
        {shown.map((rule, index) => (
          <RuleItem key={`${rule.id} ${index}`} rule={rule} organisation={organisation} />
        ))}
      </ul>
      {shown.length > 1 && (
        <Button
          label="Remove all rules"
          onClick={() => perform('removed all rules', admin.removeRule(organisation))}
        />
      )}
    </Group>
  );
}

function RuleItem({
  rule: { id, rule, state, fired, waiting },
  organisation,
}: {
  rule: RuleView;
  organisation: string | undefined;
}) {
  return (
    <li class={state}>
      <code>{describeRule(rule)}</code>
      <span class="soft">
        hit {fired}×{waiting > 0 && `, holds ${waiting}`}
        {state !== 'live' && `, ${state}`}
      </span>
      <button
        type="button"
        class="small"
        aria-label={`Remove ${describeRule(rule)}`}
        onClick={() => perform('removed a rule', admin.removeRule(organisation, id))}
      >
        ✕
      </button>
    </li>
  );
}

function ClockControl({ organisation }: { organisation: string | undefined }) {
  const clock = organisation === undefined ? [...clocks.value.values()][0] : clocks.value.get(organisation);
  const set = (what: string, change: object) => perform(what, admin.setClock(organisation, change));
  const isPaused = clock?.mode === 'manual';
  const now = clock && (nowOf(clock.organisation) ?? clock.now);
  return (
    <Group title="Clock">
      <p class="soft">
        {clock
          ? `${new Date(now!).toISOString().replace('T', ' ').slice(0, 19)} · ${clock.mode}`
          : 'no organisation yet'}
        {clock?.next_due != null && ` · next event in ${duration(Math.max(0, clock.next_due - now!))}`}
      </p>
      <div class="line">
        <label>
          Mode{' '}
          <select
            aria-label="Clock mode"
            value={clock?.mode ?? 'real'}
            onChange={({ currentTarget }) =>
              set(`clock is ${currentTarget.value}`, { mode: currentTarget.value })
            }
          >
            {['real', 'manual', 'skipping'].map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
          </select>
        </label>
        <label>
          Speed{' '}
          <select
            aria-label="Speed"
            value={String(clock?.speed ?? 1)}
            onChange={({ currentTarget }) =>
              set(`speed ${currentTarget.value}`, { speed: Number(currentTarget.value) })
            }
          >
            {[0.1, 1, 10, 100].map((speed) => (
              <option key={speed} value={speed}>
                {speed}×
              </option>
            ))}
          </select>
        </label>
        <Button
          label={isPaused ? 'Resume' : 'Pause'}
          onClick={() => set(isPaused ? 'clock goes on' : 'clock paused', { pause: !isPaused })}
        />
        <Button label="+1 s" onClick={() => set('1 s later', { advance: 1000 })} />
        <Button label="To the next event" onClick={() => set('at the next event', { to: 'next' })} />
      </div>
    </Group>
  );
}

function Gates({ organisation }: { organisation: string | undefined }) {
  const shown = [...gates.value.values()].filter(
    (each) => organisation === undefined || each.organisation === organisation,
  );
  const waiting = [
    ...new Set(shown.flatMap((each) => [...each.waiting, ...each.held].map(({ gate }) => gate))),
  ];
  const open = [...new Set(shown.flatMap((each) => each.open))];
  if (waiting.length + open.length === 0) return null;
  return (
    <Group title="Gates">
      <div class="line">
        {waiting.map((gate) => (
          <Button
            key={gate}
            label={`Open ${gate}`}
            onClick={() => perform(`opened ${gate}`, admin.openGate(organisation, gate))}
          />
        ))}
        {open.map((gate) => (
          <span key={gate} class="good">
            {gate} is open
          </span>
        ))}
      </div>
    </Group>
  );
}

function NextScenario({ organisation }: { organisation: string | undefined }) {
  const [all, setAll] = useState<readonly ScenarioListing[]>([]);
  const [name, setName] = useState('');
  const [preview, setPreview] = useState<ScenarioPreview | undefined>(undefined);
  useEffect(() => void admin.scenarios().then(setAll, () => {}), []);
  const isKnown = all.some((each) => each.name === name);
  useEffect(() => {
    setPreview(undefined);
    if (isKnown) admin.preview(name).then(setPreview, () => {});
  }, [name, isKnown]);
  return (
    <Group title="Scenario of the next task">
      <div class="line">
        <input
          type="text"
          list="scenarios"
          aria-label="Scenario"
          placeholder="races/reply-response-lost"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <datalist id="scenarios">
          {all.map((each) => (
            <option key={each.name} value={each.name}>
              {each.title}
            </option>
          ))}
        </datalist>
        <Button
          label="Queue it"
          isDisabled={!isKnown}
          onClick={() => perform(`the next task follows ${name}`, admin.queue(organisation, name))}
        />
      </div>
      {preview && (
        <details open>
          <summary>{visible(preview.title)}</summary>
          <ol class="preview">
            {preview.lines.map(
              (line, index) =>
                'text' in line && (
                  <li key={index} class={line.kind}>
                    {visible(line.text, 160)}
                  </li>
                ),
            )}
          </ol>
        </details>
      )}
    </Group>
  );
}

function TaskControl() {
  const task = tasks.value.get(selectedTask.value ?? '');
  if (!task || (task.status !== 'running' && task.status !== 'waiting')) return null;
  const inject = (what: string, step: object) => perform(what, admin.injectStep(task.id, step));
  return (
    <Group title="Selected task">
      <div class="line">
        <Button
          label="Complete it"
          onClick={() =>
            inject('completed', { service: 'finish', status: 'done', output: 'Completed from studio.' })
          }
        />
        <Button
          label="Fail it"
          onClick={() =>
            inject('failed', { service: 'finish', status: 'failed', output: 'Failed from studio.' })
          }
        />
      </div>
    </Group>
  );
}

function State({ target }: { target: 'mock' | 'proxy' }) {
  const download = async () => {
    const state = await admin.state();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([JSON.stringify(state)], { type: 'application/json' }));
    link.download = 'taskdouble-state.json';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const restore = async ({ currentTarget }: Event) => {
    const file = (currentTarget as HTMLInputElement).files?.[0];
    if (file) await perform(`restored ${file.name}`, file.text().then(admin.restore));
  };
  const reset = () =>
    confirm('Remove all tasks, journals and organisations?') && perform('reset', admin.reset());
  return (
    <Group title={target === 'mock' ? 'State' : 'Journal'}>
      <div class="line">
        {target === 'mock' && (
          <Button label="Save snapshot" onClick={() => perform('saved: it contains API keys', download())} />
        )}
        {target === 'mock' && (
          <label class="file">
            Restore <input type="file" accept=".json" aria-label="Restore a snapshot" onChange={restore} />
          </label>
        )}
        <Button label="Reset" onClick={reset} />
      </div>
    </Group>
  );
}
