import { signal } from '@preact/signals';

/** The diagram shows each action or call as one row. Kept for the next conversation. */
export const onlyActions = signal(false);

export function OnlyActionsButton() {
  return (
    <button
      type="button"
      class="small"
      title="One row for each action or call, with its result"
      aria-pressed={onlyActions.value}
      onClick={() => {
        onlyActions.value = !onlyActions.value;
      }}
    >
      Only actions
    </button>
  );
}
