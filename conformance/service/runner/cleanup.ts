import type { TestContext } from '../test-case/test-context.js';

interface Removal {
  what: string;
  undo: () => Promise<unknown>;
}

/** Undo steps for resources on the target, run in reverse order. */
export class Cleanup {
  #removals: Removal[] = [];

  add(what: string, undo: Removal['undo']): void {
    this.#removals.push({ what, undo });
  }

  /** Runs all steps, `atOnce` concurrently. Returns what could not be removed; a failed step does not stop the others. */
  async run(atOnce: number): Promise<string[]> {
    const left: (Removal & { why: string })[] = [];
    const next = this.#removals.reverse().values();
    this.#removals = [];
    const worker = async () => {
      for (const removal of next) {
        try {
          await removal.undo();
        } catch (error) {
          left.unshift({ ...removal, why: error instanceof Error ? error.message : String(error) });
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    this.#removals.unshift(...left);
    return left.map(({ what, why }) => `${what}: ${why}`).reverse();
  }

  /** Moves the remaining steps. */
  moveTo(add: Cleanup['add']): void {
    for (const { what, undo } of this.#removals) add(what, undo);
    this.#removals = [];
  }
}

/**
 * Runs a part of a test case and removes its resources afterwards, also after a failure. What cannot be removed, or was
 * interrupted, is left to the end of the run.
 */
export async function trackResources(
  t: TestContext,
  run: (t: TestContext) => Promise<void>,
  atOnce = 1,
): Promise<void> {
  const cleanup = new Cleanup();
  try {
    await run(t.withCleanup((what, undo) => cleanup.add(what, undo)));
  } finally {
    if (!t.isInterrupted) await cleanup.run(atOnce);
    cleanup.moveTo((what, undo) => t.cleanup(what, undo));
  }
}
