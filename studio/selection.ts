import { batch, effect, signal } from '@preact/signals';

// The selection is kept in the hash of the address, for links and for reloading.

export const selectedTask = signal<string | undefined>(undefined);
/** Id of a check of a report. */
export const selectedCheck = signal<string | undefined>(undefined);
/** `seq` of an exchange of the selected task, or among the other requests. */
export const selectedExchange = signal<number | undefined>(undefined);
/** Organisation of an exchange among the other requests. */
export const selectedOrganisation = signal<string | undefined>(undefined);
export const filterText = signal('');
/** Words that the log of a conversation is filtered by. */
export const logFilter = signal('');
/** `seq` of each row of a log that is sorted or filtered, as it shows them. Undefined without such a log. */
export const logRows = signal<readonly number[] | undefined>(undefined);
/** The task that the selected one is compared with. */
export const comparedTask = signal<string | undefined>(undefined);
export const filterStatus = signal('');
/** What the list of tasks is grouped by. */
export const filterGroup = signal('');
export const onlyFindings = signal(false);
/** A suite of a report. */
export const filterArea = signal('');
/** Id of a cause of a report. */
export const filterCause = signal('');
/** A report shows the race of the selected check. */
export const isRaceShown = signal(false);
/** A report on a narrow screen shows the list of checks. */
export const isListShown = signal(false);
/** `seq` under the pointer, in the diagram or in the log. */
export const hovered = signal<number | undefined>(undefined);

const FIELDS = {
  task: selectedTask,
  check: selectedCheck,
  organisation: selectedOrganisation,
  text: filterText,
  log: logFilter,
  compare: comparedTask,
  status: filterStatus,
  group: filterGroup,
  area: filterArea,
  cause: filterCause,
} as const;
const TEXTS: ReadonlySet<unknown> = new Set([
  filterText,
  logFilter,
  filterStatus,
  filterGroup,
  filterArea,
  filterCause,
]);
const FLAGS = { findings: onlyFindings, list: isListShown, race: isRaceShown } as const;

function readSelection(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const [name, field] of Object.entries(FIELDS))
    field.value = given.get(name) || ((TEXTS.has(field) ? '' : undefined) as never);
  const seq = Number(given.get('exchange') ?? Number.NaN);
  selectedExchange.value = Number.isSafeInteger(seq) ? seq : undefined;
  for (const [name, flag] of Object.entries(FLAGS)) flag.value = given.get(name) === '1';
}

let isRefined = false;

/** Changes the selection without a new entry of the browser history. */
export function refineSelection(change: () => void): void {
  isRefined = true;
  batch(change);
  isRefined = false;
}

/** Reads the selection from the address, and keeps both in sync. Each selection is an entry of the browser history. */
export function keepSelectionInAddress(): void {
  const readAll = () => batch(readSelection);
  readAll();
  const list = () =>
    [selectedTask, comparedTask, selectedCheck, selectedOrganisation, selectedExchange].map(readValue);
  let last = list().join();
  addEventListener('hashchange', readAll);
  effect(() => {
    const next = new URLSearchParams();
    for (const [name, { value }] of Object.entries(FIELDS)) if (value) next.set(name, value);
    if (selectedExchange.value !== undefined) next.set('exchange', String(selectedExchange.value));
    for (const [name, { value }] of Object.entries(FLAGS)) if (value) next.set(name, '1');
    const hash = next.toString();
    const selection = list().join();
    const isNew = selection !== last && !isRefined;
    last = selection;
    if (hash === location.hash.slice(1)) return;
    const address = hash === '' ? location.pathname : `#${hash}`;
    if (isNew) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  });
}

const readValue = ({ value }: { value: unknown }) => value;

/** Selects a task or check, without an exchange. */
export function select(field: typeof selectedTask, id: string | undefined): void {
  batch(() => {
    field.value = id;
    comparedTask.value = undefined;
    isRaceShown.value = false;
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
