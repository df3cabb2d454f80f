import { dropExpiredFiles, hasFile } from '../engine/resources/files.js';
import { notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { checkSize, shorten } from './uploads.js';

/** Section "Extensions and files". */
export const fileHandlers: Pick<Handlers, 'uploadFile' | 'deleteFile'> = {
  uploadFile({ organisation, parts }) {
    const { records, world } = organisation;
    const file = parts.files[0]!;
    checkSize(organisation, file);
    dropExpiredFiles(organisation);
    const id = world.setup.random.uuid();
    records.files.set(id, {
      id,
      name: shorten(file.filename),
      type: file.type,
      size: file.bytes.length,
      purpose: parts.texts.file_purpose ?? null,
      uploaded_at: world.now,
    });
    return { r: { id } };
  },

  deleteFile({ organisation, path }) {
    if (!hasFile(organisation, path.file_id)) throw notFound('file', path.file_id);
    return { r: organisation.records.files.delete(path.file_id) };
  },
};
