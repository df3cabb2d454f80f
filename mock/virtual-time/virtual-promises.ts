import type { VirtualClock } from './virtual-clock.js';

export interface SleepOptions {
  signal?: AbortSignal;
  ref?: boolean;
}

/** The `setTimeout` of node:timers/promises on virtual time. */
export function sleep<T>(
  clock: VirtualClock,
  delay?: unknown,
  value?: T,
  { signal, ref = true }: SleepOptions = {},
): Promise<T> {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clock.clear(timer);
      reject(abortError(signal!));
    };
    const timer = clock.set(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve(value as T);
      },
      delay,
      [],
    );
    if (!ref) timer.unref();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The `setInterval` of node:timers/promises: ticks that come while nobody asks are kept. */
export async function* ticks<T>(
  clock: VirtualClock,
  delay?: unknown,
  value?: T,
  { signal, ref = true }: SleepOptions = {},
): AsyncGenerator<T, void, undefined> {
  if (signal?.aborted) throw abortError(signal);
  let waiting = 0;
  let wake: (() => void) | undefined;
  const tell = () => wake?.();
  const timer = clock.set(
    () => {
      waiting++;
      tell();
    },
    delay,
    [],
    true,
  );
  if (!ref) timer.unref();
  signal?.addEventListener('abort', tell, { once: true });
  try {
    for (;;) {
      if (waiting === 0 && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      for (; waiting > 0; waiting--) yield value as T;
      if (signal?.aborted) throw abortError(signal);
    }
  } finally {
    clock.clear(timer);
    signal?.removeEventListener('abort', tell);
  }
}

/** As Node's own: an AbortError with a code. */
function abortError(signal: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: signal.reason });
  error.name = 'AbortError';
  return Object.assign(error, { code: 'ABORT_ERR' });
}

/** `AbortSignal.timeout` on virtual time. */
export function timeoutSignal(clock: VirtualClock, delay: number): AbortSignal {
  const controller = new AbortController();
  const abort = () =>
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  clock.set(abort, delay, []).unref();
  return controller.signal;
}
