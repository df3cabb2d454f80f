import type { TaskView } from '../../../mock/admin/task-view.js';
import type { Brief } from './brief.js';

/** What the events of a mock's tasks are called in a timeline. */
export class Names {
  readonly #names = new Map<string, string>();

  constructor(
    tasks: readonly TaskView[],
    private readonly brief: Brief,
  ) {
    for (const { calls, actions } of tasks) {
      for (const { id, tool, step } of calls) this.#names.set(id, `${tool} (${step ?? brief.text(id)})`);
      for (const { id, name, step } of actions) {
        this.#names.set(id, step === undefined || step === name ? name : `${name} (${step})`);
      }
    }
  }

  /** `get_weather (weather)` for a call that a step of the scenario made, `goto` for an action. */
  of(event: unknown): string {
    if (typeof event !== 'string') return this.brief.json(event) || 'no id';
    return this.#names.get(event) ?? this.brief.text(event, 40);
  }
}
