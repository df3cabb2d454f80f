import type { OperationId } from '../../spec/types.js';
import type { Generators } from '../engine/organisation.js';
import type { RunScript } from '../engine/tasks/page.js';
import type { Interpreter } from '../evaluate/interpreter.js';
import type { RequestContext } from '../pipeline/context.js';

/** Operations that may generate values or match a scenario of the library. */
const STARTS_TASKS: readonly OperationId[] = [
  'createTask',
  'sendTaskEvent',
  'updateTask',
  'createChatTask',
  'createMessage',
  'triggerWebhook',
];

/** Large modules that a mock loads when a request first needs them: generators, scenario library, script interpreter. */
export class OnDemandModules {
  #generators: Generators | null = null;
  #interpreter: { run: RunScript; isBroken: boolean } | null = null;
  #loading: Promise<void> | null = null;

  constructor(private readonly loadLibrary: () => Promise<void>) {}

  /** Undefined when everything that the request needs is loaded. */
  load({ operation, body }: RequestContext): Promise<unknown> | undefined {
    const isWarm = this.#generators || !STARTS_TASKS.includes(operation!.id);
    const needed = isWarm ? [] : [this.warmUp()];
    if (operation!.id === 'sendTaskEvent' && isScript(body) && this.#interpreter?.isBroken !== false)
      needed.push(this.#loadInterpreter());
    return needed.length === 0 ? undefined : Promise.all(needed);
  }

  async warmUp(scripts = false): Promise<void> {
    this.#loading ??= this.#load().catch((error) => {
      // The next attempt may succeed.
      this.#loading = null;
      throw error;
    });
    await this.#loading;
    if (scripts && this.#interpreter?.isBroken !== false) await this.#loadInterpreter();
  }

  generators(): Generators {
    if (!this.#generators) throw new Error('The generators are not loaded yet: await warmUp() first.');
    return this.#generators;
  }

  runScript: RunScript = (script) => this.#interpreter!.run(script);

  async #load(): Promise<void> {
    const [{ generators }] = await Promise.all([import('../generate/generators.js'), this.loadLibrary()]);
    this.#generators = generators;
  }

  async #loadInterpreter(): Promise<void> {
    this.#interpreter = await loadInterpreter();
  }
}

/** One interpreter for all mocks of a process: scripts leave nothing behind in it. */
let shared: Promise<Interpreter> | undefined;

/**
 * The interpreter is as large as half of the mock, and most tests never need it. Never rejects: where it cannot be loaded (a
 * content security policy without 'wasm-unsafe-eval', a bundle without it), each script results in the reason.
 */
export async function loadInterpreter(): Promise<{ run: RunScript; isBroken: boolean }> {
  try {
    if ((await shared)?.isBroken) shared = undefined;
    shared ??= import('../evaluate/interpreter.js').then((module) => module.Interpreter.load());
    return await shared;
  } catch (error) {
    shared = undefined;
    const output = `This mock cannot run scripts here, as its interpreter cannot be loaded: ${(error as Error).message}`;
    return { run: () => ({ code: 500, output }), isBroken: false };
  }
}

function isScript(body: unknown): boolean {
  const { payload } = (body ?? {}) as { payload?: { name?: unknown } | null };
  return payload?.name === 'evaluate_js';
}
