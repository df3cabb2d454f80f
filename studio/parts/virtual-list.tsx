import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isFollowing } from '../live/live-state.js';
import { useFollowing } from './following.js';

/** Items rendered before and after the visible ones. */
const MARGIN = 8;
/** Width of an A4 page within its margins. */
const PAPER_PX = 700;

/** The visible part of a long column: its offset and height in px, and a ref for the element that scrolls. */
export function useViewport() {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600, width: 600 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () =>
      setView({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth });
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // On paper everything is visible.
    const showAll = () => setView({ top: 0, height: Number.MAX_SAFE_INTEGER, width: PAPER_PX });
    addEventListener('beforeprint', showAll);
    addEventListener('afterprint', measure);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
      removeEventListener('beforeprint', showAll);
      removeEventListener('afterprint', measure);
    };
  }, []);
  return { scroller, view };
}

interface VirtualListProps<T> {
  class: string;
  label: string;
  items: readonly T[];
  /** Of each item, px. A higher item keeps its place if the height is only expected. */
  height: number | ((item: T) => number);
  /** Index of the item to scroll to. */
  current?: number | undefined;
  /** Shows the last item while the page follows. */
  canFollow?: boolean;
  /** `grid`: `head` and the items are rows of cells. */
  role?: 'listbox' | 'grid';
  onWidth?: (px: number) => void;
  /** Stays at the top, above the items. */
  head?: ComponentChildren;
  render: (item: T, index: number) => ComponentChildren;
}

/** A list that renders only its visible part. Screen readers hear the current item while the list has the focus. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, items, height, current = -1, canFollow = false, role = 'listbox', head, render } = props;
  const { scroller, view } = useViewport();
  const { scrollTo, keepAtEnd } = useFollowing(scroller, canFollow);
  const { onWidth } = props;
  useLayoutEffect(() => onWidth?.(view.width), [view.width]);
  const tops = useMemo(() => addHeights(items, height), [items, height]);
  const total = tops(items.length);
  useLayoutEffect(keepAtEnd, [total, view.height, canFollow && isFollowing.value]);
  const top = current < 0 ? undefined : tops(current);
  const bottom = top === undefined ? 0 : tops(current + 1);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || top === undefined) return;
    const headPx = head ? HEAD_PX : 0;
    if (top < element.scrollTop) scrollTo(top);
    else if (bottom + headPx > element.scrollTop + element.clientHeight)
      scrollTo(bottom + headPx - element.clientHeight);
  }, [top, bottom, scroller]);
  const first = Math.max(0, findIndexAt(tops, items.length, view.top) - MARGIN);
  const last = Math.min(items.length, findIndexAt(tops, items.length, view.top + view.height) + MARGIN + 1);
  const shown = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const item = shown.current?.children[current - first];
    // A new id: a screen reader reports only a changed one.
    const activeId = `${id}-${current}`;
    shown.current?.querySelector(`[id^="${id}"]`)?.removeAttribute('id');
    if (item) item.id = activeId;
    if (item) scroller.current!.setAttribute('aria-activedescendant', activeId);
    else scroller.current!.removeAttribute('aria-activedescendant');
  });
  const isGrid = role === 'grid';
  const attributes = { role, 'aria-label': label, ...(isGrid && { 'aria-rowcount': items.length + 1 }) };
  return (
    <div class={props.class} ref={scroller} {...attributes} tabIndex={0}>
      {head}
      <div class="virtual" role="presentation" style={{ height: `${total}px` }}>
        <div
          class="virtual-window"
          ref={shown}
          role={isGrid ? 'rowgroup' : 'presentation'}
          style={{ transform: `translateY(${tops(first)}px)` }}
        >
          {items.slice(first, last).map((item, index) => render(item, first + index))}
        </div>
      </div>
    </div>
  );
}

/** Height of `head`, px. */
const HEAD_PX = 28;

/** The distance of each item, by its index, from the top, px. */
function addHeights<T>(
  items: readonly T[],
  height: number | ((item: T) => number),
): (index: number) => number {
  if (typeof height === 'number') return (index) => index * height;
  const tops = new Float64Array(items.length + 1);
  for (let at = 0; at < items.length; at++) tops[at + 1] = tops[at]! + height(items[at]!);
  return (index) => tops[Math.min(index, items.length)]!;
}

/** The last item that begins at `px` or before it. */
function findIndexAt(tops: (index: number) => number, count: number, px: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops(middle) <= px) low = middle;
    else high = middle - 1;
  }
  return low;
}
