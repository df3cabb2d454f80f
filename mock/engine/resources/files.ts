import * as s from '../../../spec/json-schema/build-schema.js';
import type { Organisation } from '../organisation.js';

/** An uploaded file. Its content is not kept. */
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

/** Whether the file exists; it expires after dialect `file.retention` (ms, 0: never). */
export function hasFile(organisation: Organisation, id: string): boolean {
  dropExpiredFiles(organisation);
  return organisation.records.files.has(id);
}

/** Removes expired files, which do not count against the limit. */
export function dropExpiredFiles(organisation: Organisation): void {
  const { files } = organisation.records;
  const retention = Number(organisation.dialect['file.retention']);
  if (retention === 0) return;
  for (const { id, uploaded_at } of files.list())
    if (organisation.now >= uploaded_at + retention) files.delete(id);
}
