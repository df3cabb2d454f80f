import type { ScriptRunner } from '../engine/tasks/page.js';
import type { Interpreter } from './interpreter.js';

/** One interpreter for all mocks: scripts leave no state in it. */
let shared: Promise<Interpreter> | undefined;

/** The interpreter is half as large as the mock, and most tests never need it. A broken one is replaced. */
export async function loadInterpreter(): Promise<Interpreter> {
  try {
    if ((await shared)?.isBroken) shared = undefined;
    shared ??= import('./interpreter.js').then((module) => module.Interpreter.load());
    return await shared;
  } catch (error) {
    // The next attempt may succeed.
    shared = undefined;
    throw error;
  }
}

/**
 * Runs a script in this thread. If the interpreter cannot be loaded (a content security policy without
 * 'wasm-unsafe-eval', a bundle without it), the outcome of each script is the reason.
 */
export const runHere: ScriptRunner = async (script) => {
  try {
    return (await loadInterpreter()).run(script);
  } catch (error) {
    const output = `This mock cannot run scripts here, as its interpreter cannot be loaded: ${(error as Error).message}`;
    return { code: 500, output };
  }
};
