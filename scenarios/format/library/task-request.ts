import type { Match } from '../types.js';

/** The body of POST /task. */
export type TaskRequest = Readonly<Record<string, unknown>>;

/**
 * The default `match` of a scenario: the same task text with the same tools, or a session with the same url. A session
 * without a url is chosen by name only, as every session would fit it.
 */
export function deriveMatch(request: TaskRequest): Match {
  const tools = listToolNames(request);
  if (typeof request.task === 'string') return { task: request.task, ...(tools.length > 0 ? { tools } : {}) };
  if (typeof request.url === 'string' && request.url !== '') return { session: true, url: request.url };
  return 'never';
}

export function listToolNames(request: TaskRequest): string[] {
  const tools = request.custom_tools;
  return Array.isArray(tools) ? tools.map((tool: { name?: unknown } | null) => String(tool?.name)) : [];
}
