import type { Records } from './records.js';

/** Context of a chat's task besides its text. It is part of the task's request, visible to scenarios and the admin API. */
interface ChatContext {
  /** Titles of the SOPs (standard operating procedures) of the workspace, oldest first. */
  sops: string[];
  /** Names of the files in the chat, oldest first. */
  attachments: string[];
}

/** Limit for each kind; the newest are used. */
const MOST_GIVEN = 8;
const LONGEST_NAME = 80;

/** `files`: names of the files of the new message. `chat`: its id, if it already exists. */
export function collectChatContext(
  { sops, attachments }: Records,
  workspace: string,
  chat: string | undefined,
  files: readonly string[],
): ChatContext {
  const titles = sops.list().flatMap((sop) => (sop.workspace === workspace ? [sop.title] : []));
  const names = attachments.list().flatMap((file) => (file.chat === chat ? [file.name] : []));
  return { sops: keepNewest(titles), attachments: keepNewest([...names, ...files]) };
}

function keepNewest(names: readonly string[]): string[] {
  return names.slice(-MOST_GIVEN).map((name) => name.slice(0, LONGEST_NAME));
}

/** Text about the context for an improvised output; empty for a task without context. */
export function mentionContext({ sops, attachments }: Partial<Record<keyof ChatContext, unknown>>): string {
  return mention('It follows the SOP', sops) + mention('It uses the attachment', attachments);
}

function mention(text: string, names: unknown): string {
  if (!Array.isArray(names) || names.length === 0) return '';
  return ` ${text}${names.length > 1 ? 's' : ''} ${names.map((name) => `"${name}"`).join(', ')}.`;
}
