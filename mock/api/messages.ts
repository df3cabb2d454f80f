import { contentOf } from '../engine/resources/attachments.js';
import { answerRequest } from '../engine/resources/chat-requests.js';
import { messageKey, viewChat, viewMessages } from '../engine/resources/chats.js';
import { ApiError, notFound, quote } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { checkRoom } from './attachments.js';
import { continueChat } from './chats.js';
import { checkSize, shorten } from './uploads.js';

/** Section "Workspaces, chats, messages": what is said in chats, and what the assistant asks to be agreed to. */
export const messageHandlers: Pick<Handlers, 'listMessages' | 'createMessage' | 'updateRequest'> = {
  listMessages({ query, header, owner }) {
    const id = header['chat-id'];
    const organisation = owner(({ records }) => records.chats.has(id));
    const chat = organisation?.records.chats.get(id);
    if (!organisation || !chat) throw notFound('chat', id, '');
    return { messages: viewMessages(organisation, chat, query.t) };
  },

  createMessage(context) {
    const { organisation, query, header, parts } = context;
    for (const file of parts.files) checkSize(organisation, file);
    const attachments = parts.files.map(({ filename, type, bytes }) => {
      return { name: shorten(filename), type, content: contentOf(type, bytes) };
    });
    checkRoom(
      organisation,
      attachments.reduce((sum, { content }) => sum + content.length, 0),
    );
    const content = parts.texts.message!;
    const chat = continueChat(context, header['workspace-id'], query.t, {
      content,
      request: { task: content },
      attachments,
    });
    return viewChat(organisation, chat);
  },

  updateRequest({ organisation, query: { id, t, status }, header }) {
    const { records } = organisation;
    const chat = records.chats.get(header['chat-id']);
    if (!chat) throw notFound('chat', header['chat-id']);
    const inChat = `chat ${quote(chat.id)}`;
    const message = records.messages.get(messageKey(chat.id, t));
    if (!message) throw notFound('message', t, `in ${inChat}`);
    const request = records.requests.get(id);
    if (!request || !message.requests.includes(id))
      throw notFound('request', id, `in the message with t=${t} of ${inChat}`);
    const isTaken = answerRequest(organisation, message, request, status);
    if (!isTaken && organisation.world.setup.dialect['request.of-finished-task'] !== '200') {
      throw new ApiError(
        400,
        `The request is ${request.status} and its task is over: the status cannot be changed to ${quote(status)} any more.`,
      );
    }
    return { messages: viewMessages(organisation, chat) };
  },
};
