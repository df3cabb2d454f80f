import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ScenarioPreview } from '../../../mock/control/mock-scenarios.js';
import { toVisible } from '../../../spec/visible.js';
import { ScenarioDiagram } from '../../sequence/scenario-diagram.js';

/** Width of the diagram where there is room, px. */
const DRAWING_PX = 460;

export function ScenarioDrawing({
  preview: { title, description, lines, yaml },
}: {
  preview: ScenarioPreview;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(DRAWING_PX);
  useLayoutEffect(() => setWidth(Math.min(DRAWING_PX, box.current!.clientWidth)), []);
  return (
    <>
      <h2>{toVisible(title)}</h2>
      {description !== undefined && <p class="soft">{toVisible(description, 600)}</p>}
      <div class="preview" ref={box}>
        <ScenarioDiagram lines={lines} width={width} />
      </div>
      <details>
        <summary>YAML</summary>
        <pre tabIndex={0}>{toVisible(yaml)}</pre>
      </details>
    </>
  );
}
