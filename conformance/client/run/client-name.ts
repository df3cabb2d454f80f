import type { Scenario } from '../../../scenarios/format/types.js';
import type { Client } from '../types.js';

/** The command, or the name of the function. */
export function nameOf(client: Client): string {
  if (client.kind !== 'function') return client.command.map(quoted).join(' ');
  return client.name ?? (client.run.name || 'a function');
}

/** The line that plays a scenario against it once more; undefined for functions. */
export function againOf(client: Client, { name, file }: Scenario, seed: number): string | undefined {
  if (client.kind === 'function') return undefined;
  // What comes with the package goes by its name.
  const what = file !== undefined && !file.startsWith('scenarios/') ? file : name;
  const time = client.kind === 'node' ? ' --time virtual' : '';
  return `npx taskdouble client --scenario ${quoted(what)}${seed === 1 ? '' : ` --seed ${seed}`}${time} -- ${nameOf(client)}`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
