import type { Organisation } from '../engine/organisation.js';
import type { Task } from '../engine/tasks/task.js';
import type { Organisations } from '../pipeline/organisations.js';
import { MockError, quoted } from './admin-error.js';

/** Finds the organisations that a key means (all without one), and tasks wherever they are; brings them up to date. */
export class Finder {
  constructor(private readonly organisations: Organisations) {}

  /** As they stand. */
  all(): Organisation[] {
    return [...this.organisations.all()];
  }

  /** Brought up to date. The organisation that a key picks is opened where it was not. */
  chosen(key: string | undefined): Organisation[] {
    const chosen = key === undefined ? this.all() : [this.open(key)];
    for (const { world } of chosen) world.catchUp();
    return chosen;
  }

  /** The same without opening any. */
  present(key: string | undefined): Organisation[] {
    const chosen =
      key === undefined ? this.all() : [this.organisations.get(key)].filter((each) => each !== undefined);
    for (const { world } of chosen) world.catchUp();
    return chosen;
  }

  /** Throws ControlError for an empty key. */
  open(key: string): Organisation {
    if (key === '')
      throw new MockError(
        'invalid',
        'The key is empty: give the API key of an organisation, or none at all.',
      );
    return this.organisations.open(key);
  }

  /** Throws ControlError where no organisation has such a task. */
  task(id: string): { organisation: Organisation; task: Task } {
    for (const organisation of this.organisations.all()) {
      organisation.world.catchUp();
      const task = organisation.world.tasks.get(id);
      if (task) return { organisation, task };
    }
    throw new MockError('missing', `There is no task ${quoted(id)} in any organisation.`);
  }
}
