import { useEffect, useRef, useState } from 'preact/hooks';
import type { ScenarioPreview, ScenarioView } from '../../../mock/control/mock-scenarios.js';
import { toVisible } from '../../../spec/visible.js';
import { admin } from '../../live/admin-client.js';
import { formatCount } from '../../parts/format.js';
import { formatKeyName } from '../../parts/key-name.js';
import { Button, outcome, perform } from '../control-parts.js';
import { KeyChoice } from './key-choice.js';
import { ScenarioDrawing } from './scenario-drawing.js';

/** Delay between typing and searching, ms. */
const SEARCH_MS = 150;

/** A dialog with every scenario: search, drawing, queue. */
export function ScenarioBrowser({
  organisation,
  onClose,
}: {
  organisation: string | undefined;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState('');
  const [forWhom, setForWhom] = useState(organisation ?? '');
  const found = useScenarios(search);
  const preview = usePreview(chosen);
  useEffect(() => dialog.current?.showModal(), []);
  const choose = (name: string) => {
    outcome.value = undefined;
    setChosen(name);
  };
  const queue = () => {
    const whose = forWhom === '' ? 'of each key' : `of ${formatKeyName(forWhom)}`;
    const sent = admin.queueScenario(forWhom || undefined, JSON.stringify({ name: chosen }));
    return perform(`the next task ${whose} follows ${chosen}`, sent);
  };
  return (
    <dialog ref={dialog} class="browser" aria-label="Scenarios" onClose={onClose}>
      <header class="line">
        <input
          type="search"
          aria-label="Search the scenarios"
          placeholder="title, text, requirement: lost reply TOOL-05"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <span class="soft">{found && formatCount(found.length, 'scenario')}</span>
        <span class="spacer" />
        <Button label="Close" onClick={() => dialog.current?.close()} />
      </header>
      <nav aria-label="Scenarios by folder">
        {found?.length === 0 && <p class="empty">No scenario has all of these words.</p>}
        {groupByFolder(found ?? []).map(([folder, scenarios]) => (
          <section key={folder}>
            <h3>{folder}</h3>
            {scenarios.map(({ name, title, covers }) => (
              <button
                key={name}
                type="button"
                class="scenario"
                aria-pressed={name === chosen}
                onClick={() => choose(name)}
              >
                {toVisible(title, 120)}{' '}
                <span class="soft">
                  {toVisible(name, 80)}
                  {covers.length > 0 && ` · ${covers.slice(0, 4).join(', ')}${covers.length > 4 ? ' …' : ''}`}
                </span>
              </button>
            ))}
          </section>
        ))}
      </nav>
      <div class="drawing">
        {preview ? <ScenarioDrawing preview={preview} /> : <p class="empty">Select a scenario to see it.</p>}
      </div>
      <footer class="line">
        <KeyChoice value={forWhom} onChange={setForWhom} />
        <Button
          label="Queue it"
          problem={chosen === '' ? 'Select a scenario first.' : undefined}
          onClick={queue}
        />
        <span class={outcome.value?.isError ? 'bad' : 'good'} role="status">
          {toVisible(outcome.value?.text ?? '', 200)}
        </span>
      </footer>
    </dialog>
  );
}

function useScenarios(search: string): readonly ScenarioView[] | undefined {
  const [found, setFound] = useState<readonly ScenarioView[] | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const load = () =>
      admin.fetchScenarios(search).then(
        (all) => isCurrent && setFound(all),
        () => {},
      );
    const timer = setTimeout(load, search === '' ? 0 : SEARCH_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [search]);
  return found;
}

function usePreview(name: string): ScenarioPreview | undefined {
  const [preview, setPreview] = useState<ScenarioPreview | undefined>(undefined);
  useEffect(() => {
    if (name !== '') admin.fetchPreview(name).then(setPreview, () => setPreview(undefined));
  }, [name]);
  return preview?.name === name ? preview : undefined;
}

/** In the order of the scenarios. */
function groupByFolder(scenarios: readonly ScenarioView[]): [string, ScenarioView[]][] {
  const groups = new Map<string, ScenarioView[]>();
  for (const each of scenarios) {
    const slash = each.name.lastIndexOf('/');
    const folder = slash === -1 ? 'yours' : each.name.slice(0, slash);
    groups.set(folder, [...(groups.get(folder) ?? []), each]);
  }
  return [...groups];
}
