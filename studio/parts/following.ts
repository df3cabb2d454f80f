import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isFollowing } from '../live/live-state.js';

/** Distance from the end that counts as the end, px. */
const NEAR_PX = 8;

export function isAtEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return scrollTop + clientHeight >= scrollHeight - NEAR_PX;
}

/**
 * Keeps an element at its end while the page follows. Scrolling up stops that, arriving at the end starts it. `isLive`: the content
 * can grow.
 */
export function useFollowing(scroller: RefObject<HTMLElement | null>, isLive: boolean) {
  /** The position that the page has set or handled, px: any other is the reader's. */
  const known = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      const { scrollTop } = element;
      if (scrollTop === known.current) return;
      const isBack = scrollTop < known.current;
      known.current = scrollTop;
      if (!isLive) return;
      if (isAtEnd(element)) isFollowing.value = true;
      else if (isBack) isFollowing.value = false;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller, isLive]);

  const scrollTo = (top: number) => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = top;
    known.current = element.scrollTop;
  };
  return {
    scrollTo,
    /** For a change of the content or of the size. */
    keepAtEnd: () => {
      const element = scroller.current;
      if (!element || !isLive) return;
      // The reader has scrolled, and the event is still to come.
      if (element.scrollTop < known.current - 1 && !isAtEnd(element)) isFollowing.value = false;
      if (isFollowing.peek()) scrollTo(element.scrollHeight);
    },
    /** For an element that was hidden: it has lost its position. */
    restorePosition: () => scrollTo(known.current),
  };
}
