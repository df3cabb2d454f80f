import type { OperationId } from '../../spec/types.js';
import type { Generators } from '../engine/organisation.js';
import type { ScriptRunner } from '../engine/tasks/page.js';
import type { ScriptThread } from '../evaluate/script-thread.js';
import { isNode } from '../options/needs-node.js';
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

/** Large modules that a mock loads when a request first needs them: generators and scenario library. */
export class OnDemandModules {
  #generators: Generators | null = null;
  #loading: Promise<void> | null = null;

  constructor(private readonly loadLibrary: () => Promise<void>) {}

  /** Undefined if everything that the request needs is loaded. */
  load({ operation }: RequestContext): Promise<unknown> | undefined {
    const isWarm = this.#generators || !STARTS_TASKS.includes(operation!.id);
    return isWarm ? undefined : this.warmUp();
  }

  /** With `scripts` it also starts the script thread. */
  async warmUp(scripts = false): Promise<void> {
    this.#loading ??= this.#load().catch((error) => {
      // The next attempt may succeed.
      this.#loading = null;
      throw error;
    });
    await this.#loading;
    if (scripts) await (await loadScriptThread())?.open();
  }

  requireGenerators(): Generators {
    if (!this.#generators) throw new Error('The generators are not loaded yet: await warmUp() first.');
    return this.#generators;
  }

  async #load(): Promise<void> {
    const [{ generators }] = await Promise.all([import('./generators.js'), this.loadLibrary()]);
    this.#generators = generators;
  }
}

/** Runs a script in a separate thread; in a browser, in the thread of the mock. */
export const runScript: ScriptRunner = async (script) => {
  const thread = await loadScriptThread();
  return thread ? thread.run(script) : (await import('../evaluate/run-here.js')).runHere(script);
};

async function loadScriptThread(): Promise<ScriptThread | undefined> {
  if (!isNode()) return undefined;
  return import('../evaluate/script-thread.js').then(
    ({ scriptThread }) => scriptThread,
    () => undefined,
  );
}
