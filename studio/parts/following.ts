import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isFollowing } from '../live/live-state.js';

/** Distance from the end that counts as the end, px. */
const NEAR_PX = 8;

export function isAtEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return scrollTop + clientHeight >= scrollHeight - NEAR_PX;
}

/** Events that come before a scroll of the reader. `focusin`: the browser moves to what has the focus. */
const GESTURES = ['wheel', 'touchmove', 'pointerdown', 'keydown', 'focusin'];

function canScrollBack(event: Event): boolean {
  if (event instanceof WheelEvent) return event.deltaY < 0;
  return !(event instanceof KeyboardEvent) || ['PageUp', 'Home'].includes(event.key);
}

/**
 * Keeps an element at its end while the page follows. Scrolling up stops that, arriving at the end starts it. `isLive`: the content
 * can grow.
 */
export function useFollowing(scroller: RefObject<HTMLElement | null>, isLive: boolean) {
  /** The position that the page has set or handled, px. */
  const known = useRef(0);
  /** The reader may have scrolled back. Without a gesture, the position moves back only because the layout has changed. */
  const hasGesture = useRef(false);

  const scrollTo = (top: number) => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = top;
    known.current = element.scrollTop;
  };
  /** Returns whether the page stays at the end. A hidden element has no position. */
  const readMove = (element: HTMLElement): boolean => {
    if (element.clientHeight === 0) return false;
    const by = element.scrollTop - known.current;
    known.current = element.scrollTop;
    if (!isLive) return false;
    const hasArrived = by > 0 && isAtEnd(element);
    if (hasArrived) isFollowing.value = true;
    else if (by < -1 && hasGesture.current && !isAtEnd(element)) isFollowing.value = false;
    if (hasArrived || !isFollowing.peek()) hasGesture.current = false;
    return isFollowing.peek();
  };
  const onScroll = useRef(() => {});
  onScroll.current = () => {
    const element = scroller.current!;
    if (element.scrollTop === known.current) return;
    // A slow move of the reader begins within the distance that counts as the end.
    if (readMove(element) && !hasGesture.current) scrollTo(element.scrollHeight);
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onMove = () => onScroll.current();
    const onGesture = (event: Event) => {
      if (canScrollBack(event)) hasGesture.current = true;
    };
    element.addEventListener('scroll', onMove, { passive: true });
    for (const name of GESTURES) element.addEventListener(name, onGesture, { passive: true });
    return () => {
      element.removeEventListener('scroll', onMove);
      for (const name of GESTURES) element.removeEventListener(name, onGesture);
    };
  }, [scroller]);
  return {
    scrollTo,
    /** For a change of the content or of the size. */
    keepAtEnd: () => {
      const element = scroller.current;
      if (element && readMove(element)) scrollTo(element.scrollHeight);
    },
    /** For an element that was hidden: it has lost its position. */
    restorePosition: () => scrollTo(known.current),
  };
}
