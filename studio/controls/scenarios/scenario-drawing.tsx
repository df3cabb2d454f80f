import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ScenarioPreview } from '../../../mock/control/mock-scenarios.js';
import { toVisible } from '../../../spec/visible.js';
import { ScenarioDiagram } from '../../sequence/scenario-diagram.js';

export function ScenarioDrawing({
  preview: { title, description, lines, yaml },
}: {
  preview: ScenarioPreview;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    // A dialog has no width before it is open.
    const observer = new ResizeObserver(([entry]) => {
      setWidth(Math.floor(entry!.contentRect.width));
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <h2>{toVisible(title)}</h2>
      {description !== undefined && <p class="soft">{toVisible(description, 600)}</p>}
      <div class="preview" ref={box}>
        {width > 0 && <ScenarioDiagram lines={lines} width={width} />}
      </div>
      <details>
        <summary>YAML</summary>
        <pre tabIndex={0}>{toVisible(yaml)}</pre>
      </details>
    </>
  );
}
