import type { ScenarioPreview } from '../../../mock/control/mock-scenarios.js';
import { toVisible } from '../../../spec/visible.js';
import { ScenarioDiagram } from '../../sequence/scenario-diagram.js';

/** Width of the diagram, px. */
const DRAWING_PX = 460;

export function ScenarioDrawing({
  preview: { title, description, lines, yaml },
}: {
  preview: ScenarioPreview;
}) {
  return (
    <>
      <h2>{toVisible(title)}</h2>
      {description !== undefined && <p class="soft">{toVisible(description, 600)}</p>}
      <div class="preview">
        <ScenarioDiagram lines={lines} width={Math.min(DRAWING_PX, innerWidth - 60)} />
      </div>
      <details>
        <summary>YAML</summary>
        <pre tabIndex={0}>{toVisible(yaml)}</pre>
      </details>
    </>
  );
}
