import { batch, signal } from '@preact/signals';
import { comparedTask, selectedTask, selectTask } from '../selection.js';

/** Width up to which the page shows the list or a conversation, px. */
const NARROW_PX = 720;

/** The list has another conversation. */
export const canCompare = signal(false);
/** The next click in the list chooses the conversation to compare this task with. */
export const choosingFor = signal<string | undefined>(undefined);

export function beginChoice(id: string): void {
  batch(() => {
    choosingFor.value = id;
    if (innerWidth <= NARROW_PX) selectTask(undefined);
  });
}

/** A click on a task: selects it, or compares another one with it. `isSecond`: the selected one. */
export function chooseTask(id: string, isSecond: boolean): void {
  const first = choosingFor.value ?? (isSecond ? selectedTask.value : undefined);
  if (first !== undefined && first !== id) compareTasks(first, id);
  else selectTask(id);
}

export function compareTasks(one: string, other: string): void {
  batch(() => {
    selectTask(one);
    comparedTask.value = other;
    choosingFor.value = undefined;
  });
}

export function endComparison(): void {
  comparedTask.value = undefined;
}
