import { signal } from '@preact/signals';
import type { ScenarioPreview } from '../../mock/control/mock-scenarios.js';
import { admin } from '../live/admin-client.js';
import type { LivePage, PageData } from '../page-data.js';
import { selectedCheck, selectedExchange, selectedTask, selectTask } from '../selection.js';

/** A file that was dropped on the page. */
export type OpenedFile =
  | { kind: 'page'; name: string; page: PageData }
  | { kind: 'scenario'; name: string; text: string; preview: ScenarioPreview }
  | { kind: 'problem'; name: string; message: string };

export const openedFile = signal<OpenedFile | undefined>(undefined);

/** Largest file that is sent to the mock, in bytes. */
const LARGEST_FILE = 64 * 1024 * 1024;

/** What was selected before, for the return. */
let before: string | undefined;

/** Reads a dropped file: a scenario is drawn, anything else is shown in a page of its own. Never rejects. */
export async function openFile(file: File, target: LivePage['target']): Promise<void> {
  const { name } = file;
  const isScenario = /\.ya?ml$/i.test(name);
  try {
    if (file.size > LARGEST_FILE)
      throw new Error(`${name} is larger than 64 MiB: "taskdouble view ${name}" shows it.`);
    if (isScenario && target === 'mock') {
      const text = await file.text();
      const preview = await admin.previewScenario(name.replace(/\.ya?ml$/i, ''), text);
      openedFile.value = { kind: 'scenario', name, text, preview };
    } else {
      const page = await admin.fetchFilePage(name, file);
      before ??= selectedTask.value;
      clearSelection();
      openedFile.value = { kind: 'page', name, page };
    }
  } catch (error) {
    const { message } = error as Error;
    const why =
      isScenario && target === 'proxy' ? `A proxy plays no scenario; a mock does. ${message}` : message;
    openedFile.value = { kind: 'problem', name, message: why };
  }
}

export function closeFile(): void {
  const wasPage = openedFile.value?.kind === 'page';
  openedFile.value = undefined;
  if (!wasPage) return;
  clearSelection();
  selectTask(before);
  before = undefined;
}

function clearSelection(): void {
  selectTask(undefined);
  selectedCheck.value = undefined;
  selectedExchange.value = undefined;
}
