import type { MessagePort } from 'node:worker_threads';

/** From the thread of a client: its output, or the feature that only a process has. */
export type ThreadMessage = { stream: 'stdout' | 'stderr'; bytes: Uint8Array } | { needs: string };

/** To the thread: its run. */
export interface ThreadJob {
  /** Path of the client. */
  file: string;
  /** Added to the environment. */
  env: Record<string, string>;
  /** Arguments after the file in `process.argv`. */
  args: string[];
  /** Connects the thread to its virtual time. */
  time: MessagePort;
}
