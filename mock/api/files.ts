import type { Schemas } from '../../spec/types.js';
import type { Organisation } from '../engine/organisation.js';
import { dropExpiredFiles, hasFile } from '../engine/resources/files.js';
import type { Extension } from '../engine/resources/records.js';
import { ApiError, InvalidInput, notFound } from '../pipeline/errors.js';
import type { FilePart, Handlers, Parts } from '../pipeline/handler.js';

/** Section "Extensions and files". */
export const fileHandlers: Pick<Handlers, 'uploadFile' | 'deleteFile'> = {
  uploadFile({ organisation, parts }) {
    const { records } = organisation;
    const file = parts.files[0]!;
    checkSize(organisation, file);
    dropExpiredFiles(organisation);
    const id = organisation.random.uuid();
    records.files.set(id, {
      id,
      name: shorten(file.filename),
      type: file.type,
      size: file.bytes.length,
      purpose: parts.texts.file_purpose ?? null,
      uploaded_at: organisation.now,
    });
    return { r: { id } };
  },

  deleteFile({ organisation, path }) {
    if (!hasFile(organisation, path.file_id)) throw notFound('file', path.file_id);
    return { r: organisation.records.files.delete(path.file_id) };
  },
};

type ExtensionOperations =
  | 'uploadExtension'
  | 'listExtensions'
  | 'deleteExtension'
  | 'deleteBrowserExtension';
type OldExtensionOperations = 'uploadBrowserExtension' | 'listBrowserExtensions';

/** Sections "Extensions and files" and "Deprecated browser endpoints": two ways to the same extensions. */
export const extensionHandlers: Pick<Handlers, ExtensionOperations | OldExtensionOperations> = {
  uploadExtension: ({ organisation, parts }) => ({ r: upload(organisation, parts) }),
  listExtensions: ({ organisation }) => ({ r: list(organisation) }),
  deleteExtension: ({ organisation, path }) => ({ r: remove(organisation, path.extension_id) }),
  deleteBrowserExtension: ({ organisation, path }) => ({ r: remove(organisation, path.extension_id) }),
  uploadBrowserExtension: ({ organisation, parts }) => ({ r: upload(organisation, parts) }),
  listBrowserExtensions: ({ organisation }) => ({ r: { extensions: list(organisation) } }),
};

function upload(organisation: Organisation, { files }: Parts): Schemas['Extension'] {
  const file = files[0]!;
  checkSize(organisation, file);
  const point = organisation.dialect['extension.not-zip'];
  if (!isZip(file) && point !== 'accepted') {
    const msg = `The file "${shorten(file.filename)}" is no ZIP archive: pack the extension as a ZIP.`;
    if (point === '422') throw new InvalidInput([{ loc: ['body', file.part], msg, type: 'zip' }]);
    throw new ApiError(400, msg);
  }
  const { records } = organisation;
  const id = organisation.random.uuid();
  const extension = {
    id,
    file_name: shorten(file.filename),
    size: file.bytes.length,
    created_at: organisation.now,
  };
  return viewExtension(records.extensions.add(id, extension));
}

/** An archive begins with a local file header, or with the end record when it is empty (ZIP APPNOTE 4.3). */
function isZip({ bytes }: FilePart): boolean {
  const [p, k, a, b] = bytes;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

function list(organisation: Organisation): Schemas['Extension'][] {
  return organisation.records.extensions.list().map(viewExtension);
}

function remove(organisation: Organisation, id: string): boolean {
  if (!organisation.records.extensions.delete(id)) throw notFound('extension', id);
  return true;
}

function viewExtension({ id, file_name, created_at }: Extension): Schemas['Extension'] {
  return { id, file_name, creation_time: Math.floor(created_at / 1000) };
}

/** Throws ApiError 413 for a file larger than dialect `limits.upload-size` (bytes). */
export function checkSize(organisation: Organisation, file: FilePart): void {
  const most = Number(organisation.dialect['limits.upload-size']);
  if (file.bytes.length <= most) return;
  throw new ApiError(
    413,
    `The file "${shorten(file.filename)}" has ${file.bytes.length} bytes; at most ${most} are taken.`,
  );
}

/** Longest file name kept, in characters. */
export function shorten(filename: string): string {
  return filename.slice(0, 255);
}
