import { truncateText } from '../../spec/show.js';
import { TOO_LARGE } from '../exchange/wire.js';
import type { PageReader } from '../options/mock-options.js';
import { AdminError, LARGEST_ADMIN_BODY } from './admin-request.js';
import type { AdminCall } from './route.js';

/** Reads the file in the body. Throws AdminError with 422 and one message for any file that cannot be shown. */
export async function viewFile(
  readPage: PageReader | undefined,
  { request: { body }, query }: Pick<AdminCall<unknown>, 'request' | 'query'>,
): Promise<{ kind: string }> {
  if (!readPage) throw new AdminError(404, 'This server was created without readPage.');
  if (body === TOO_LARGE || (body?.length ?? 0) > LARGEST_ADMIN_BODY)
    throw new AdminError(413, 'The file is too large for the page: "taskdouble view FILE" reads it.');
  try {
    return await readPage(query.name ?? 'file', body ?? '');
  } catch (error) {
    throw new AdminError(422, truncateText((error as Error).message, 400));
  }
}
