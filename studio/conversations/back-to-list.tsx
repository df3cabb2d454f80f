import { toVisible } from '../../spec/visible.js';
import { selectTask } from '../selection.js';

/** On a narrow screen, which shows one thing at a time: what it is about, and the way back to the list. */
export function BackToList({ title }: { title: string }) {
  return (
    <div class="back-to-list">
      <button type="button" class="small" onClick={() => selectTask(undefined)}>
        ‹ All
      </button>
      <strong>{toVisible(title, 120)}</strong>
    </div>
  );
}
