import { formatCount } from '../parts/format.js';
import { lostCount } from './live-state.js';

/** Stays until the user has read it. */
export function RestartNotice() {
  const count = lostCount.value;
  if (count === 0) return null;
  return (
    <span class="warn" role="status">
      The mock was restarted: {formatCount(count, 'conversation')} {count === 1 ? 'is' : 'are'} gone.{' '}
      <button
        type="button"
        class="small"
        onClick={() => {
          lostCount.value = 0;
        }}
      >
        OK
      </button>
    </span>
  );
}
