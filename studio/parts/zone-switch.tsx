import { chooseTimeZone, formatZone, timeZone } from './format.js';

/** Switches every time on the page between UTC and the zone of the browser. */
export function ZoneSwitch() {
  const isLocal = timeZone.value === 'local';
  return (
    <button
      type="button"
      class="small"
      title={isLocal ? 'Times are local: show UTC' : 'Times are in UTC: show local time'}
      onClick={() => chooseTimeZone(isLocal ? 'UTC' : 'local')}
    >
      {isLocal ? `local, ${formatZone(Date.now())}` : 'UTC'}
    </button>
  );
}
