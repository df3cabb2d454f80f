/** Calls a function that was given as an option. An error of it ends no request and no process: `onError` gets it, else the console. */
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
