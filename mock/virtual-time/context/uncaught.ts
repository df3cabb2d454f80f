import { placeNow, type Running } from './context.js';

type Emit = (this: NodeJS.Process, event: string, ...args: unknown[]) => boolean;

const EVENTS = new Set(['unhandledRejection', 'uncaughtException']);

let ended: (() => void) | undefined;

/**
 * Leads to a run what would end this process and comes from its client. Everybody else's goes where it would go without
 * runs: the listeners of a test runner stay as they are.
 */
export function watchUncaught(): void {
  if (ended) return;
  const before = Object.getOwnPropertyDescriptor(process, 'emit');
  const emit = process.emit as Emit;
  const watching: Emit = function (event, ...args) {
    const run: Running | undefined = EVENTS.has(event) ? placeNow()?.run : undefined;
    if (!run) return emit.call(this, event, ...args);
    run.crashed(args[0]);
    return true;
  };
  Object.defineProperty(process, 'emit', { value: watching, configurable: true, writable: true });
  ended = () => {
    // Somebody who has wrapped it since keeps it, and it leads on.
    if (process.emit !== (watching as unknown)) return;
    if (before) Object.defineProperty(process, 'emit', before);
    else delete (process as Partial<NodeJS.Process>).emit;
  };
}

export function stopWatchingUncaught(): void {
  ended?.();
  ended = undefined;
}
