import type { Schemas } from '../../spec/types.js';
import type { Organisation } from '../engine/organisation.js';
import type { Extension } from '../engine/resources/records.js';
import { ApiError, createInputError, createNotFoundError, refuseByDialect } from '../exchange/errors.js';
import type { FilePart, Handlers, Parts } from '../pipeline/context.js';

/** Section "Extensions and files", and the second group of extension endpoints in "Deprecated browser endpoints". */
export const fileHandlers = {
  uploadFile({ organisation, parts }) {
    const { records } = organisation;
    const { filename, type, bytes } = readUpload(organisation, parts);
    dropExpiredFiles(organisation);
    const id = organisation.random.uuid();
    const purpose = parts.texts.file_purpose ?? null;
    const uploaded_at = organisation.now;
    records.files.set(id, {
      id,
      name: truncateFilename(filename),
      type,
      size: bytes.length,
      purpose,
      uploaded_at,
    });
    return { r: { id } };
  },

  deleteFile({ organisation, path }) {
    if (!hasFile(organisation, path.file_id)) throw createNotFoundError('file', path.file_id);
    return { r: organisation.records.files.delete(path.file_id) };
  },

  uploadExtension: ({ organisation, parts }) => ({ r: upload(organisation, parts) }),
  listExtensions: ({ organisation }) => ({ r: list(organisation) }),
  deleteExtension: ({ organisation, path }) => ({ r: remove(organisation, path.extension_id) }),
  deleteBrowserExtension: ({ organisation, path }) => ({ r: remove(organisation, path.extension_id) }),
  uploadBrowserExtension: ({ organisation, parts }) => ({ r: upload(organisation, parts) }),
  listBrowserExtensions: ({ organisation }) => ({ r: { extensions: list(organisation) } }),
} satisfies Partial<Handlers>;

function upload(organisation: Organisation, parts: Parts): Schemas['Extension'] {
  const file = readUpload(organisation, parts);
  if (!isZip(file)) {
    const msg = `The file "${truncateFilename(file.filename)}" is no ZIP archive: pack the extension as a ZIP.`;
    if (organisation.dialect['extension.not-zip'] === '422')
      throw createInputError(['body', file.part], msg, 'zip');
    refuseByDialect(organisation, 'extension.not-zip', msg);
  }
  const id = organisation.random.uuid();
  const size = file.bytes.length;
  const extension = { id, file_name: truncateFilename(file.filename), size, created_at: organisation.now };
  return viewExtension(organisation.records.extensions.add(id, extension));
}

function readUpload(organisation: Organisation, { files }: Parts): FilePart {
  const file = files[0]!;
  checkSize(organisation, file);
  return file;
}

/** An archive begins with a local file header, or with the end record if it is empty (ZIP APPNOTE 4.3). */
function isZip({ bytes }: FilePart): boolean {
  const [p, k, a, b] = bytes;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

function list(organisation: Organisation): Schemas['Extension'][] {
  return organisation.records.extensions.list().map(viewExtension);
}

function remove(organisation: Organisation, id: string): boolean {
  if (!organisation.records.extensions.delete(id)) throw createNotFoundError('extension', id);
  return true;
}

function viewExtension({ id, file_name, created_at }: Extension): Schemas['Extension'] {
  return { id, file_name, creation_time: Math.floor(created_at / 1000) };
}

/** Throws ApiError 413 for a file larger than dialect `limits.upload-size` (bytes). */
export function checkSize({ dialect }: Organisation, { filename, bytes }: FilePart): void {
  const most = Number(dialect['limits.upload-size']);
  if (bytes.length <= most) return;
  const detail = `The file "${truncateFilename(filename)}" has ${bytes.length} bytes; at most ${most} are taken.`;
  throw new ApiError(413, detail);
}

/** A file expires after dialect `file.retention` (ms, 0: never). */
export function hasFile(organisation: Organisation, id: string): boolean {
  dropExpiredFiles(organisation);
  return organisation.records.files.has(id);
}

/** Expired files do not count against the limit. */
function dropExpiredFiles({ records: { files }, dialect, now }: Organisation): void {
  const retention = Number(dialect['file.retention']);
  if (retention === 0) return;
  for (const { id, uploaded_at } of files.list()) if (now >= uploaded_at + retention) files.delete(id);
}

export function truncateFilename(filename: string): string {
  return filename.slice(0, 255);
}
