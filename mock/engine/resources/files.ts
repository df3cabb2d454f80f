import * as s from '../../../spec/json-schema/build-schema.js';
import type { Organisation } from '../organisation.js';

/** An uploaded file. What is in it is of no use to a mock and is not kept. */
export type StoredFile = s.ValueOf<typeof storedFile>;
export const storedFile = s.fields({
  id: s.text,
  name: s.text,
  type: s.text,
  /** bytes. */
  size: s.count,
  purpose: s.orNull(s.text),
  uploaded_at: s.instant,
});

/** Whether the file is there; it is gone once dialect `file.retention` (ms, 0 is for ever) has passed. */
export function hasFile(organisation: Organisation, id: string): boolean {
  dropExpiredFiles(organisation);
  return organisation.records.files.has(id);
}

/** Makes room: expired files do not count against the limit. */
export function dropExpiredFiles({ records: { files }, world }: Organisation): void {
  const retention = Number(world.setup.dialect['file.retention']);
  if (retention === 0) return;
  for (const { id, uploaded_at } of files.list()) if (world.now >= uploaded_at + retention) files.delete(id);
}
