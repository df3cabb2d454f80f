import { admin } from '../live/admin-client.js';
import { clocks, readNow } from '../live/live-state.js';
import { formatDuration } from '../parts/format.js';
import { Button, Group, perform } from './control-parts.js';

export function ClockControl({ organisation }: { organisation: string | undefined }) {
  const clock = organisation === undefined ? [...clocks.value.values()][0] : clocks.value.get(organisation);
  const changeClock = (what: string, change: object) => perform(what, admin.setClock(organisation, change));
  const isPaused = clock?.mode === 'manual';
  const now = clock && (readNow(clock.organisation) ?? clock.now);
  return (
    <Group title="Clock">
      <p class="soft">
        {clock
          ? `${new Date(now!).toISOString().replace('T', ' ').slice(0, 19)} · ${clock.mode}`
          : 'no organisation yet'}
        {clock?.next_due != null && ` · next event in ${formatDuration(Math.max(0, clock.next_due - now!))}`}
      </p>
      <div class="line">
        <label>
          Mode{' '}
          <select
            aria-label="Clock mode"
            value={clock?.mode ?? 'real'}
            onChange={({ currentTarget }) =>
              changeClock(`clock is ${currentTarget.value}`, { mode: currentTarget.value })
            }
          >
            {['real', 'manual', 'skipping', 'eager'].map((mode) => (
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
              changeClock(`speed ${currentTarget.value}`, { speed: Number(currentTarget.value) })
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
          onClick={() => changeClock(isPaused ? 'clock resumed' : 'clock paused', { pause: !isPaused })}
        />
        <Button label="+1 s" onClick={() => changeClock('1 s later', { advance: 1000 })} />
        <Button label="To the next event" onClick={() => changeClock('at the next event', { to: 'next' })} />
      </div>
    </Group>
  );
}
