import { formatCount } from '../parts/format.js';
import { connection, judging, loading } from './live-state.js';

const CONNECTIONS = { connecting: 'connecting …', open: 'live', closed: 'not connected: trying again' };

/** Whether the page shows everything that the mock holds. */
export function LoadStatus() {
  const { value: isLoading } = loading;
  const { value: progress } = judging;
  const isOpen = connection.value === 'open';
  return (
    <>
      <span class={`connection ${connection.value}`} role="status">
        {isOpen && isLoading
          ? `loading${isLoading.count > 0 ? `: ${formatCount(isLoading.count, 'task')} so far` : ' …'}`
          : CONNECTIONS[connection.value]}
      </span>
      {isOpen && progress && (
        <span class="soft" role="status">
          judging {progress.judged} of {progress.total} keys
        </span>
      )}
    </>
  );
}
