import type { Command } from '../../operations/command.js';

const markersByCommand = new WeakMap<Command, readonly string[]>();

/** Markers of the unique texts in the parts of a request that services store. */
export function readMarkers(command: Command): readonly string[] {
  const { operation, path, query, body, form } = command;
  if (operation === 'createProfile' || operation === 'sendTaskEvent') return [];
  let markers = markersByCommand.get(command);
  if (!markers) {
    const all = JSON.stringify([path, query, body, form]).matchAll(/\{\{word\.(\w+)\}\}/g);
    markers = [...new Set([...all].map(([, marker]) => marker!))];
    markersByCommand.set(command, markers);
  }
  return markers;
}

export function findOwner({ operation, as, on }: Command): string {
  return as ?? on ?? operation;
}
