/** A run that may be ended early: then nothing new is begun, while what was created is still removed. */
export class Interruption {
  #lifted = false;

  constructor(private readonly given?: AbortSignal) {}

  /** What ends requests and pauses; undefined while nothing may. */
  get signal(): AbortSignal | undefined {
    return this.#lifted ? undefined : this.given;
  }

  /** From now on, which is when things are removed, nothing is ended early any more. */
  lift(): void {
    this.#lifted = true;
  }
}
