import { toVisible } from '../../spec/visible.js';
import { selectTask } from '../selection.js';

/** For narrow screens, which show the list or one conversation: its title, and a button back to the list. */
export function BackToList({ title }: { title: string }) {
  return (
    <div class="back-to-list">
      <button type="button" class="small" onClick={() => selectTask(undefined)}>
        ‹ All
      </button>
      <strong dir="auto">{toVisible(title, 120)}</strong>
    </div>
  );
}
