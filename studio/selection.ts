import { effect, signal } from '@preact/signals';

/** What is selected, kept in the hash of the address: links and reloading show the same. */
export const selectedTask = signal<string | undefined>(undefined);
/** `seq` of an exchange of the selected task, or of an other request. */
export const selectedExchange = signal<number | undefined>(undefined);
/** Of an exchange among the other requests: its organisation. */
export const selectedOrganisation = signal<string | undefined>(undefined);
export const filterText = signal('');
export const filterStatus = signal('');
export const onlyFindings = signal(false);
/** `seq` under the pointer, in the diagram or in the log. */
export const hovered = signal<number | undefined>(undefined);

const FIELDS = {
  task: selectedTask,
  organisation: selectedOrganisation,
  text: filterText,
  status: filterStatus,
} as const;

function read(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const [name, field] of Object.entries(FIELDS))
    field.value =
      given.get(name) || ((field === filterText || field === filterStatus ? '' : undefined) as never);
  const seq = Number(given.get('exchange') ?? Number.NaN);
  selectedExchange.value = Number.isSafeInteger(seq) ? seq : undefined;
  onlyFindings.value = given.get('findings') === '1';
}

/** Takes the selection from the address, and keeps the address up to date. */
export function keepSelectionInAddress(): void {
  read();
  addEventListener('hashchange', read);
  effect(() => {
    const next = new URLSearchParams();
    for (const [name, { value }] of Object.entries(FIELDS)) if (value) next.set(name, value);
    if (selectedExchange.value !== undefined) next.set('exchange', String(selectedExchange.value));
    if (onlyFindings.value) next.set('findings', '1');
    const hash = next.toString();
    if (hash !== location.hash.slice(1))
      history.replaceState(null, '', hash === '' ? location.pathname : `#${hash}`);
  });
}

export function selectTask(id: string | undefined): void {
  selectedTask.value = id;
  selectedExchange.value = undefined;
  selectedOrganisation.value = undefined;
}
