/** Calls a callback option. Its error must not fail a request or end the process: `onError` gets it, else the console. */
export function callSafely<T extends unknown[]>(
  listener: ((...values: T) => void) | undefined,
  values: T,
  onError?: (error: unknown) => void,
): void {
  try {
    listener?.(...values);
  } catch (error) {
    if (onError) callSafely(onError, [error]);
    else console.error('taskdouble: a function given as an option threw an error:', error);
  }
}
