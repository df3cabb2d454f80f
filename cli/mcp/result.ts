import { truncateText } from '../../spec/show.js';
import { toVisible } from '../../spec/visible.js';

/** Most bytes of a result: an agent reads all of it at every turn. */
export const MOST_RESULT_BYTES = 2048;

export interface ToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The beginning of the instructions for an agent. */
export const ABOUT =
  'taskdouble is a mock and a test harness of the Browser Automation Task Service API: a client creates a task, polls it (202 while it runs, 200 at its end), replies to tool calls and drives sessions by events.';
export const ABOUT_JUDGING =
  'To judge a client: check_client, then explain each rule, mend, and check again; then explore_client for races.';

/** Annotations of tools that change only what the mock does. */
export const CHANGES = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;
/** Annotations of tools that change nothing. */
export const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** The end of a message about an unknown scenario. */
export const SCENARIOS_LISTED = 'the tool list_scenarios shows those there are';

/** A tool was called with something that cannot be done. The message says what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** A typed result. Throws if it is longer than it may be: each tool bounds its own lists and texts. */
export function createResult(value: Record<string, unknown>): ToolResult {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > MOST_RESULT_BYTES)
    throw new Error(`the result has ${Buffer.byteLength(text)} bytes, more than ${MOST_RESULT_BYTES}`);
  return { content: [{ type: 'text', text }], structuredContent: value };
}

/** What `run` returns, or its error as a text that the agent can act on. */
export async function reportErrors(run: () => Promise<Record<string, unknown>>): Promise<ToolResult> {
  try {
    return createResult(await run());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { content: [{ type: 'text', text: truncateText(toVisible(message), 1000) }], isError: true };
  }
}

/** The last lines of a text that fit into `most` bytes, and whether any are missing. */
export function takeLastLines(text: string, most: number): { text: string; left_out: number } {
  const lines = text.split('\n');
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.toReversed()) {
    // In JSON, a line end has two characters and a quotation mark too.
    bytes += Buffer.byteLength(JSON.stringify(line));
    if (bytes > most) break;
    kept.unshift(line);
  }
  return { text: kept.join('\n'), left_out: lines.length - kept.length };
}

/** The first items whose JSON fits into `most` bytes, and the number of the others. */
export function takeFirst<T>(items: readonly T[], most: number): { shown: T[]; more: number } {
  const shown: T[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > most) break;
    shown.push(item);
  }
  return { shown, more: items.length - shown.length };
}
