import type { Organisation } from '../engine/organisation.js';
import { ApiError } from '../pipeline/errors.js';
import type { FilePart } from '../pipeline/handler.js';

/** Throws ApiError 413 for a file larger than dialect `limits.upload-size` (bytes). */
export function checkSize(organisation: Organisation, file: FilePart): void {
  const most = Number(organisation.world.setup.dialect['limits.upload-size']);
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
