import v8 from 'node:v8';

/**
 * What V8 does for programs that run for long costs a short one more than it brings: optimizing the WebAssembly of the HTTP parser of
 * `fetch`, machine code for what has run a few times, and many small collections of garbage until the heap of a thread has grown.
 */
const FOR_SHORT_RUNS = ['--wasm-tiering-budget=1800000000', '--no-sparkplug', '--min-semi-space-size=16'];

/** Makes short runs of a client cheaper, in this process and in the threads that it starts from now on. */
export function favorShortRuns(): void {
  for (const flag of FOR_SHORT_RUNS) v8.setFlagsFromString(flag);
}
