import { admin } from '../live/admin-client.js';
import { gates } from '../live/live-state.js';
import { Button, Group, perform } from './control-parts.js';

export function Gates({ organisation }: { organisation: string | undefined }) {
  const shown = [...gates.value.values()].filter(
    (each) => organisation === undefined || each.organisation === organisation,
  );
  const waiting = [
    ...new Set(shown.flatMap((each) => [...each.waiting, ...each.held].map(({ gate }) => gate))),
  ];
  const open = [...new Set(shown.flatMap((each) => each.open))];
  if (waiting.length + open.length === 0) return null;
  return (
    <Group title="Gates" docs={['admin-api', 'gates']}>
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
