import type { MessagePort } from 'node:worker_threads';

/** From the thread of a client: what it writes, or what it did that only a process can do. */
export type ThreadMessage = { stream: 'stdout' | 'stderr'; bytes: Uint8Array } | { needs: string };

/** To the thread: its run. */
export interface ThreadJob {
  /** Path of the client. */
  file: string;
  /** Added to the environment. */
  env: Record<string, string>;
  /** What follows the file in `process.argv`. */
  args: string[];
  /** Connects it to its virtual time. */
  time: MessagePort;
}
