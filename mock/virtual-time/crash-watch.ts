type Listener = (...args: never[]) => void;
const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/** Hears of what would end this process, and keeps it from ending, while it watches. Nobody else is told meanwhile. */
export class CrashWatch {
  #before = new Map<string, Listener[]>();
  #listener: ((error: unknown) => void) | undefined;

  watch(onCrash: (error: unknown) => void): void {
    this.#listener = onCrash;
    for (const event of EVENTS) {
      this.#before.set(event, process.listeners(event as never) as Listener[]);
      process.removeAllListeners(event);
      process.on(event, this.#listener);
    }
  }

  stop(): void {
    if (!this.#listener) return;
    for (const event of EVENTS) {
      process.off(event, this.#listener);
      for (const listener of this.#before.get(event)!) process.on(event as never, listener);
    }
    this.#listener = undefined;
  }
}
