import type { Organisation } from '../engine/organisation.js';
import { hasRoomFor, MOST_ATTACHMENT_TEXT } from '../engine/resources/attachments.js';
import { ApiError, notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { findWorkspace, inWorkspace } from './workspaces.js';

/** Section "Workspaces, chats, messages": files that came with messages. */
export const attachmentHandlers: Pick<Handlers, 'getAttachment' | 'updateAttachment'> = {
  getAttachment({ header, owner }) {
    const wanted = header['attachment-id'];
    const attachment = owner(({ records }) => records.attachments.has(wanted))?.records.attachments.get(
      wanted,
    );
    if (!attachment) throw notFound('attachment', wanted, '');
    const { id, t, name, type, content } = attachment;
    return { r: { id, t, name, type, content } };
  },

  updateAttachment({ organisation, query: { t }, header, body }) {
    const workspace = findWorkspace(organisation, header['workspace-id']);
    const attachment = organisation.records.attachments.get(header['attachment-id']);
    if (!attachment || attachment.workspace !== workspace.id)
      throw notFound('attachment', header['attachment-id'], inWorkspace(workspace));
    if (attachment.t !== t) {
      throw new ApiError(
        404,
        `Attachment "${attachment.id}" was not created at t=${t}: t is its own creation time in ms.`,
      );
    }
    const { name, content } = body;
    if (typeof content === 'string') {
      checkRoom(organisation, content.length - attachment.content.length);
      attachment.content = content;
    }
    if (typeof name === 'string') attachment.name = name;
    return { r: true };
  },
};

/** Throws ApiError 413 when `more` characters of content go beyond what one organisation may keep. */
export function checkRoom({ records }: Organisation, more: number): void {
  if (more <= 0 || hasRoomFor(records, more)) return;
  throw new ApiError(
    413,
    `The attachments of an organisation hold at most ${MOST_ATTACHMENT_TEXT} characters: delete chats first.`,
  );
}
