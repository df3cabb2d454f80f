import { clocks } from '../../live/live-state.js';
import { formatKeyName } from '../../parts/key-name.js';

/** For whose next task a scenario is queued: of each key (empty), or of one organisation. */
export function KeyChoice({ value, onChange }: { value: string; onChange: (organisation: string) => void }) {
  return (
    <label class="line">
      for{' '}
      <select
        aria-label="For key"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">the next task of each key</option>
        {[...clocks.value.keys()].map((name) => (
          <option key={name} value={name}>
            the next task of {formatKeyName(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
