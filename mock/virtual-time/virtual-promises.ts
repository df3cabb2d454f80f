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
      timer.close();
      reject(abortError(signal!));
    };
    const timer = clock.set(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve(value as T);
    }, delay);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The `setInterval` of node:timers/promises. */
export async function* ticks<T>(
  clock: VirtualClock,
  delay?: unknown,
  value?: T,
  options?: SleepOptions,
): AsyncGenerator<T, void, undefined> {
  for (;;) yield sleep(clock, delay, value as T, options);
}

/** `AbortSignal.timeout` on virtual time. */
export function timeoutSignal(clock: VirtualClock, delay: number): AbortSignal {
  const controller = new AbortController();
  const abort = () =>
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  clock.set(abort, delay).unref();
  return controller.signal;
}

/** As Node's own: an AbortError with a code. */
function abortError(signal: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: signal.reason });
  error.name = 'AbortError';
  return Object.assign(error, { code: 'ABORT_ERR' });
}
