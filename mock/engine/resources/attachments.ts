import * as s from '../../../spec/json-schema/build-schema.js';
import { toBase64 } from '../../journal/base64.js';
import type { Records } from './records.js';

/** A file that came with a message. */
export type Attachment = s.ValueOf<typeof attachment>;
export const attachment = s.fields({
  id: s.text,
  /** Creation time, unique within the organisation. */
  t: s.instant,
  chat: s.text,
  workspace: s.text,
  name: s.text,
  type: s.text,
  /** Text as it is, anything else in base64. */
  content: s.text,
});

/** Characters kept in all attachments of one organisation. */
export const MOST_ATTACHMENT_TEXT = 64 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether `more` characters still fit. */
export function hasRoomFor({ attachments }: Records, more: number): boolean {
  let total = more;
  for (const { content } of attachments.list()) total += content.length;
  return total <= MOST_ATTACHMENT_TEXT;
}

/** What is shown of the bytes: text of a text type that is valid UTF-8 as it is, anything else in base64. */
export function contentOf(type: string, bytes: Uint8Array): string {
  if (/^(text\/|application\/(json|xml|yaml|javascript)\b|[^;]*\+(json|xml)\b)/i.test(type)) {
    try {
      return utf8.decode(bytes);
    } catch {
      // No text after all.
    }
  }
  return toBase64(bytes);
}
