import v8 from 'node:v8';

/**
 * Keeps V8 from optimizing WebAssembly in this process. It does so for the HTTP parser of `fetch` within the first requests of each
 * run, which takes more CPU time than all other work of a short run.
 */
export function stopWasmOptimization(): void {
  v8.setFlagsFromString('--wasm-tiering-budget=1800000000');
}
