import { batch, effect, signal } from '@preact/signals';

/** What is selected, kept in the hash of the address: links and reloading show the same. */
export const selectedTask = signal<string | undefined>(undefined);
/** Of a report: id of a check. */
export const selectedCheck = signal<string | undefined>(undefined);
/** `seq` of an exchange of the selected task, or of an other request. */
export const selectedExchange = signal<number | undefined>(undefined);
/** Of an exchange among the other requests: its organisation. */
export const selectedOrganisation = signal<string | undefined>(undefined);
export const filterText = signal('');
export const filterStatus = signal('');
export const onlyFindings = signal(false);
/** Of a report: a suite, and the id of a cause. */
export const filterArea = signal('');
export const filterCause = signal('');
/** Of a report on a narrow screen: the list of checks is shown. */
export const isListShown = signal(false);
/** `seq` under the pointer, in the diagram or in the log. */
export const hovered = signal<number | undefined>(undefined);

const FIELDS = {
  task: selectedTask,
  check: selectedCheck,
  organisation: selectedOrganisation,
  text: filterText,
  status: filterStatus,
  area: filterArea,
  cause: filterCause,
} as const;
const TEXTS: ReadonlySet<unknown> = new Set([filterText, filterStatus, filterArea, filterCause]);
const FLAGS = { findings: onlyFindings, list: isListShown } as const;

function readSelection(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const [name, field] of Object.entries(FIELDS))
    field.value = given.get(name) || ((TEXTS.has(field) ? '' : undefined) as never);
  const seq = Number(given.get('exchange') ?? Number.NaN);
  selectedExchange.value = Number.isSafeInteger(seq) ? seq : undefined;
  for (const [name, flag] of Object.entries(FLAGS)) flag.value = given.get(name) === '1';
}

/** Takes the selection from the address, and keeps the address up to date. The browser's Back leads to the check before. */
export function keepSelectionInAddress(): void {
  const readAll = () => batch(readSelection);
  readAll();
  let lastCheck = selectedCheck.value;
  addEventListener('hashchange', readAll);
  effect(() => {
    const next = new URLSearchParams();
    for (const [name, { value }] of Object.entries(FIELDS)) if (value) next.set(name, value);
    if (selectedExchange.value !== undefined) next.set('exchange', String(selectedExchange.value));
    for (const [name, { value }] of Object.entries(FLAGS)) if (value) next.set(name, '1');
    const hash = next.toString();
    const isOther = lastCheck !== selectedCheck.value;
    lastCheck = selectedCheck.value;
    if (hash === location.hash.slice(1)) return;
    const address = hash === '' ? location.pathname : `#${hash}`;
    if (isOther) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  });
}

/** Another task or check; no exchange of it. */
export function select(field: typeof selectedTask, id: string | undefined): void {
  batch(() => {
    field.value = id;
    selectedExchange.value = undefined;
    selectedOrganisation.value = undefined;
  });
}

export function selectTask(id: string | undefined): void {
  select(selectedTask, id);
}

export function selectCheck(id: string | undefined): void {
  select(selectedCheck, id);
}
