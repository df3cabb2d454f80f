import { keys } from '../live/live-state.js';

/** The name of the key of an organisation, or the beginning of a hash; in files, the name of the organisation. */
export function formatKeyName(organisation: string): string {
  const view = keys.value.get(organisation);
  return view ? (view.name ?? `key ${view.hash}…`) : organisation;
}

/** What the filter word `key:` is searched in. */
export function describeKey(organisation: string): string {
  const { name = '', hash = '' } = keys.value.get(organisation) ?? {};
  return `${organisation} ${name} ${hash}`;
}
