import type { Wire } from '../../../mock/admin/admin-request.js';
import type { ClockView } from '../../../mock/control/mock-clock.js';
import { admin } from '../../live/admin-client.js';
import { Button, perform } from '../control-parts.js';

/** In the words of `--clock`. */
const MODES = {
  real: 'It follows the time of this machine.',
  manual: 'It moves only when you move it.',
  skipping: 'It jumps to what is due where a poll would wait.',
} as const;
const SPEEDS = [0.1, 1, 10, 100];

export function ClockMode({
  clock,
  organisation,
}: {
  clock: Wire<ClockView>;
  organisation: string | undefined;
}) {
  const { mode, speed } = clock;
  const changeClock = (what: string, change: object) => perform(what, admin.setClock(organisation, change));
  const isPaused = mode === 'manual';
  const speeds = SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed];
  return (
    <>
      <label class="field">
        <span>mode</span>
        <select
          aria-label="Clock mode"
          value={mode}
          onChange={({ currentTarget: { value } }) => changeClock(`clock is ${value}`, { mode: value })}
        >
          {Object.keys(MODES).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          {!(mode in MODES) && <option value={mode}>{mode}</option>}
        </select>
      </label>
      {mode in MODES && <p class="soft">{MODES[mode as keyof typeof MODES]}</p>}
      <div class="line">
        <Button
          label={isPaused ? 'Resume' : 'Pause'}
          onClick={() => changeClock(isPaused ? 'clock resumed' : 'clock paused', { pause: !isPaused })}
        />
        {(mode === 'real' || mode === 'eager') && (
          <label>
            speed{' '}
            <select
              aria-label="Speed"
              value={String(speed)}
              onChange={({ currentTarget: { value } }) =>
                changeClock(`speed ${value}`, { speed: Number(value) })
              }
            >
              {speeds.map((each) => (
                <option key={each} value={each}>
                  {each}×
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </>
  );
}
