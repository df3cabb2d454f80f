import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
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
  /** Height of each item, px. */
  height: number;
  /** Index of the item to scroll to. */
  current?: number;
  /** Shows the last item while the page follows. */
  canFollow?: boolean;
  render: (item: T, index: number) => ComponentChildren;
}

/** A list that renders only its visible part. Screen readers hear the current item while the list has the focus. */
export function VirtualList<T>({
  label,
  items,
  height,
  current = -1,
  canFollow = false,
  render,
  ...rest
}: VirtualListProps<T>) {
  const { scroller, view } = useViewport();
  const { scrollTo, keepAtEnd } = useFollowing(scroller, canFollow);
  useLayoutEffect(keepAtEnd, [items, view.height, isFollowing.value]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || current < 0) return;
    const top = current * height;
    if (top < element.scrollTop) scrollTo(top);
    else if (top + height > element.scrollTop + element.clientHeight)
      scrollTo(top + height - element.clientHeight);
  }, [current, height, scroller]);
  const first = Math.max(0, Math.floor(view.top / height) - MARGIN);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / height) + MARGIN);
  const shown = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const option = shown.current?.children[current - first];
    // A new id: a screen reader reports only a changed one.
    const activeId = `${id}-${current}`;
    shown.current?.querySelector(`[id^="${id}"]`)?.removeAttribute('id');
    if (option) option.id = activeId;
    if (option) scroller.current!.setAttribute('aria-activedescendant', activeId);
    else scroller.current!.removeAttribute('aria-activedescendant');
  });
  return (
    <div {...rest} ref={scroller} role="listbox" aria-label={label} tabIndex={0}>
      <div class="virtual" style={{ height: `${items.length * height}px` }}>
        <div class="virtual-window" ref={shown} style={{ transform: `translateY(${first * height}px)` }}>
          {items.slice(first, last).map((item, index) => render(item, first + index))}
        </div>
      </div>
    </div>
  );
}
