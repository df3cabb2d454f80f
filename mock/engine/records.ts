import { Table } from './table.js';

/** Everything an organisation holds besides its tasks, by kind. */
export interface Records {
  [kind: string]: Table<unknown>;
}

export function createRecords(_limit: number): Records {
  return {};
}
