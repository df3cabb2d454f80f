import { batch, signal } from '@preact/signals';
import { comparedTask, selectedTask, selectTask } from '../selection.js';

/** The next click in the list chooses the conversation to compare with. */
export const isChoosing = signal(false);

/** A click on a task: selects it, or compares the selected one with it. */
export function chooseTask(id: string, isSecond: boolean): void {
  const isOther = selectedTask.value !== undefined && selectedTask.value !== id;
  if (isOther && (isSecond || isChoosing.value)) {
    compareTasks(selectedTask.value!, id);
    return;
  }
  selectTask(id);
}

export function compareTasks(one: string, other: string): void {
  batch(() => {
    selectTask(one);
    comparedTask.value = other;
    isChoosing.value = false;
  });
}

export function endComparison(): void {
  comparedTask.value = undefined;
}
