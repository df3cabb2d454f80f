import { batch } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Exchange } from '../spec/vocabulary.js';
import { OTHERS, shownOthers } from './conversations/other-requests.js';
import { isFollowing } from './live/live-state.js';
import {
  comparedTask,
  logRows,
  refineSelection,
  select,
  selectedExchange,
  selectedOrganisation,
  selectedTask,
} from './selection.js';
import { zoomByKey } from './sequence/zoom.js';

/** Classes of the parts of the page in which arrow keys move. */
const PLACES = ['list', 'scroller', 'log'] as const;
type Place = (typeof PLACES)[number];

interface KeyboardTarget {
  /** Exchanges of the selected item. */
  exchanges: readonly Exchange[];
  /** Tasks or checks of the list. */
  items: readonly { id: string }[];
  /** Id of the selected item. */
  selected: typeof selectedTask;
  onHelp: () => void;
}

export function useKeyboard(shown: KeyboardTarget): void {
  const latest = useRef(shown);
  latest.current = shown;
  // A layout effect: `useEffect` runs after the next frame and would miss keys before it.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const shown = latest.current;
      const { key, target } = event;
      // A dialog handles its own keys.
      if (document.querySelector('dialog[open]')) return;
      // So do links and elements that open or scroll.
      if (target instanceof Element && target.closest('summary, pre, a') && key !== 'Escape') return;
      const isTyping = target instanceof Element && target.matches('input, select, textarea');
      const isInFilter = isTyping && target.id === 'filter';
      const place = PLACES.find((each) => target instanceof Element && target.closest(`.${each}`));
      if (key === 'Escape') goBack(shown, isTyping ? (target as HTMLElement) : undefined);
      else if (isInFilter && key === 'ArrowDown') moveSelection(1, shown, 'list');
      else if (isTyping && key === 'ArrowDown' && target.closest('.log-tools')) moveInLog(1);
      else if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      else if (key === '/') document.querySelector<HTMLElement>('#filter')?.focus();
      else if (key === '?') shown.onHelp();
      else if (zoomByKey(key)) return;
      else if (key === ' ' && !(target instanceof HTMLButtonElement)) isFollowing.value = !isFollowing.value;
      else if (key === 'ArrowDown') moveSelection(1, shown, place);
      else if (key === 'ArrowUp') moveSelection(-1, shown, place);
      else if (key === 'ArrowRight' || (key === 'Enter' && !(target instanceof HTMLButtonElement)))
        enterItem(shown);
      else if (key === 'ArrowLeft') goBack(shown);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function goBack({ selected }: KeyboardTarget, field?: HTMLElement): void {
  if (field) leaveField(field);
  else if (comparedTask.value !== undefined) comparedTask.value = undefined;
  else if (selectedExchange.value !== undefined) {
    selectedExchange.value = undefined;
    focusSelection();
  } else {
    select(selected, undefined);
    focusSelection();
  }
}

/** The first Escape clears a filter. */
function leaveField(field: HTMLElement): void {
  if (field instanceof HTMLInputElement && field.type === 'search' && field.value !== '') {
    field.value = '';
    field.dispatchEvent(new Event('input'));
  } else field.blur();
}

/** The address after the last move by key. */
let lastAddress: string | undefined;

/** Consecutive moves are one entry of the browser history. */
function changeByKey(change: () => void, isInLog = false): void {
  if (location.hash === lastAddress) refineSelection(change);
  else batch(change);
  lastAddress = location.hash;
  focusSelection(isInLog);
}

/** Frames until the view has scrolled to the selected row, and rendered it. */
const MOST_FRAMES = 6;

/** Moves the focus to the selected exchange, or else to the list, so that a screen reader reads it out. */
function focusSelection(isInLog = false): void {
  let frames = 0;
  const focus = () => {
    const seq = selectedExchange.value;
    const row = isInLog
      ? null
      : document.querySelector<SVGElement>(`.stage:not([hidden]) [data-seq="${seq}"]`);
    // In the log, the focus stays on the list.
    const list = document.querySelector<HTMLElement>(seq === undefined ? '.list' : '.log');
    if (row) row.focus({ preventScroll: true });
    else if (list?.checkVisibility()) list.focus({ preventScroll: true });
    else if (frames++ < MOST_FRAMES) requestAnimationFrame(focus);
  };
  requestAnimationFrame(focus);
}

type Direction = 1 | -1;

function move<T>(all: readonly T[], at: number, by: Direction): T | undefined {
  return all[Math.min(all.length - 1, Math.max(0, at + by))];
}

/** Selects the next row of a sorted or filtered log. False if there is none. */
function moveInLog(by: Direction): boolean {
  const rows = logRows.value ?? [];
  if (rows.length === 0) return false;
  const next = move(rows, rows.indexOf(selectedExchange.value ?? Number.NaN), by);
  changeByKey(() => {
    selectedExchange.value = next;
  }, true);
  return true;
}

/** Selects the next exchange if one is selected and the focus is not in the list, else the next item. */
function moveSelection(by: Direction, { exchanges, items, selected }: KeyboardTarget, place?: Place): void {
  const isInLog = place === 'log' || (place !== 'list' && isDiagramHidden());
  if (isInLog && selectedExchange.value !== undefined && moveInLog(by)) return;
  if (selectedTask.value === OTHERS && shownOthers.value.length > 0) {
    const at = shownOthers.value.findIndex(
      ({ seq, organisation }) =>
        seq === selectedExchange.value && organisation === selectedOrganisation.value,
    );
    const next = move(shownOthers.value, at, by);
    changeByKey(() => {
      selectedOrganisation.value = next?.organisation;
      selectedExchange.value = next?.seq;
    });
    return;
  }
  const at = place === 'list' ? -1 : exchanges.findIndex(({ seq }) => seq === selectedExchange.value);
  if (at !== -1) {
    changeByKey(() => {
      selectedExchange.value = move(exchanges, at, by)!.seq;
    });
    return;
  }
  const current = items.findIndex(({ id }) => id === selected.value);
  const next = move(items, current, by);
  if (next) changeByKey(() => select(selected, next.id));
}

const isDiagramHidden = () => document.querySelector('.stage:not([hidden])') === null;

function enterItem(shown: KeyboardTarget): void {
  const { exchanges, selected } = shown;
  if (selected.value === undefined) moveSelection(1, shown, 'list');
  else if (selectedExchange.value !== undefined) return;
  else if (isDiagramHidden() && moveInLog(1)) return;
  else if (exchanges.length > 0)
    changeByKey(() => {
      selectedExchange.value = exchanges.at(-1)!.seq;
    });
}
