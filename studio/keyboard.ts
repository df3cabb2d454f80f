import { useEffect } from 'preact/hooks';
import type { Exchange } from '../spec/vocabulary.js';
import { OTHERS, shownOthers } from './conversations/conversation-list.js';
import { isFollowing } from './live/live-state.js';
import { selectedExchange, selectedOrganisation, selectedTask, selectTask } from './selection.js';

type Tasks = readonly { id: string }[];

/** The keys of the page, for the exchanges of the selected task and the tasks that the list shows. */
export function useKeyboard(exchanges: readonly Exchange[], tasks: Tasks, onHelp: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      // A dialog has keys of its own.
      if (document.querySelector('dialog[open]')) return;
      // So have what opens, and what scrolls.
      if (target instanceof Element && target.closest('summary, pre, a') && key !== 'Escape') return;
      const isTyping = target instanceof Element && target.matches('input, select, textarea');
      if (key === 'Escape') goBack(isTyping ? (target as HTMLElement) : undefined);
      else if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      else if (key === '/') document.querySelector<HTMLElement>('#filter')?.focus();
      else if (key === '?') onHelp();
      else if (key === ' ' && !(target instanceof HTMLButtonElement)) isFollowing.value = !isFollowing.value;
      else if (key === 'ArrowDown') move(1, exchanges, tasks);
      else if (key === 'ArrowUp') move(-1, exchanges, tasks);
      else if (key === 'ArrowRight' || (key === 'Enter' && !(target instanceof HTMLButtonElement)))
        enter(exchanges, tasks);
      else if (key === 'ArrowLeft') goBack(undefined);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [exchanges, tasks, onHelp]);
}

function goBack(field: HTMLElement | undefined): void {
  if (field) field.blur();
  else if (selectedExchange.value !== undefined) selectedExchange.value = undefined;
  else selectTask(undefined);
}

/** The next exchange where one is selected, else the next task. */
function move(by: 1 | -1, exchanges: readonly Exchange[], tasks: Tasks): void {
  if (selectedTask.value === OTHERS && shownOthers.value.length > 0) {
    const all = shownOthers.value;
    const at = all.findIndex(
      ({ seq, organisation }) =>
        seq === selectedExchange.value && organisation === selectedOrganisation.value,
    );
    const next = all[Math.min(all.length - 1, Math.max(0, at + by))];
    selectedOrganisation.value = next?.organisation;
    selectedExchange.value = next?.seq;
    return;
  }
  const at = exchanges.findIndex(({ seq }) => seq === selectedExchange.value);
  if (at !== -1) {
    selectedExchange.value = exchanges[Math.min(exchanges.length - 1, Math.max(0, at + by))]!.seq;
    return;
  }
  const current = tasks.findIndex(({ id }) => id === selectedTask.value);
  const next = tasks[Math.min(tasks.length - 1, Math.max(0, current + by))];
  if (next) selectTask(next.id);
}

function enter(exchanges: readonly Exchange[], tasks: Tasks): void {
  if (selectedTask.value === undefined) move(1, exchanges, tasks);
  else if (selectedExchange.value === undefined && exchanges.length > 0)
    selectedExchange.value = exchanges.at(-1)!.seq;
}
