/** What was created on the target and has to be removed from it, last first. */
export class Cleanup {
  #entries: { what: string; undo: () => Promise<unknown> }[] = [];

  add(what: string, undo: () => Promise<unknown>): void {
    this.#entries.push({ what, undo });
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Undoes everything; what cannot be undone is named, and the rest goes on. Safe to call again. */
  async run(concurrency: number): Promise<string[]> {
    const entries = this.#entries.reverse();
    this.#entries = [];
    const left: string[] = [];
    const next = entries.values();
    const worker = async () => {
      for (const { what, undo } of next) {
        try {
          await undo();
        } catch (error) {
          left.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return left;
  }
}
