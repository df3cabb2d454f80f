import { useEffect, useState } from 'preact/hooks';
import type { ScenarioPreview, ScenarioView } from '../../../mock/control/mock-scenarios.js';
import { toVisible } from '../../../spec/visible.js';
import { admin } from '../../live/admin-client.js';
import { ScenarioDiagram } from '../../sequence/scenario-diagram.js';
import { Button, Group, perform } from '../control-parts.js';

/** Width of the controls. */
const PREVIEW_PX = 270;

export function NextScenario({ organisation }: { organisation: string | undefined }) {
  const [all, setAll] = useState<readonly ScenarioView[]>([]);
  const [name, setName] = useState('');
  const [preview, setPreview] = useState<ScenarioPreview | undefined>(undefined);
  useEffect(() => void admin.fetchScenarios().then(setAll, () => {}), []);
  const isKnown = all.some((each) => each.name === name);
  useEffect(() => {
    setPreview(undefined);
    if (isKnown) admin.fetchPreview(name).then(setPreview, () => {});
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
          problem={
            isKnown
              ? undefined
              : name === ''
                ? 'Enter the name of a scenario.'
                : `There is no scenario "${name}".`
          }
          onClick={() => perform(`the next task follows ${name}`, admin.queueScenario(organisation, name))}
        />
      </div>
      {preview && (
        <details open>
          <summary>{toVisible(preview.title)}</summary>
          <div class="preview">
            <ScenarioDiagram lines={preview.lines} width={PREVIEW_PX} />
          </div>
          <details>
            <summary>YAML</summary>
            <pre tabIndex={0}>{toVisible(preview.yaml)}</pre>
          </details>
        </details>
      )}
    </Group>
  );
}
