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
  const file = organisation.records.files.get(id);
  if (file && isExpired(organisation, file)) organisation.records.files.delete(id);
  return organisation.records.files.has(id);
}

/** Makes room: expired files do not count against the limit. */
export function dropExpiredFiles(organisation: Organisation): void {
  const { files } = organisation.records;
  for (const file of files.list()) {
    // They stand in the order in which they came.
    if (!isExpired(organisation, file)) return;
    files.delete(file.id);
  }
}

function isExpired({ world }: Organisation, file: StoredFile): boolean {
  const retention = Number(world.setup.dialect['file.retention']);
  return retention > 0 && world.now >= file.uploaded_at + retention;
}
