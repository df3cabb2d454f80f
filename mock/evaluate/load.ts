import type { RunScript } from '../engine/tasks/page.js';
import type { Interpreter } from './interpreter.js';

/** One for all mocks of a process: scripts leave nothing behind in it. */
let shared: Promise<Interpreter> | undefined;

/**
 * Loads the interpreter of `evaluate_js`: as large as half of the mock, and most tests never need it. Never rejects: where
 * it cannot be loaded (a content security policy without 'wasm-unsafe-eval', a bundle without it), each script results in the reason.
 */
export async function loadInterpreter(): Promise<{ run: RunScript; isBroken: boolean }> {
  try {
    shared ??= import('./interpreter.js').then((module) => module.Interpreter.load());
    const loaded = await shared;
    if (!loaded.isBroken) return loaded;
    shared = undefined;
    return loadInterpreter();
  } catch (error) {
    shared = undefined;
    const output = `This mock cannot run scripts here, as its interpreter cannot be loaded: ${(error as Error).message}`;
    return { run: () => ({ code: 500, output }), isBroken: false };
  }
}
