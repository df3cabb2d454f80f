import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Timers } from '../../mock/clock/wake-up-timer.js';

/** A save touches several files, or one file several times, ms. */
const QUIET_MS = 200;
/** Most watched directories. */
const MOST_DIRECTORIES = 2000;
/** Directories with files that tools and clients write. */
const IGNORED: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

function isIgnored(name: string): boolean {
  return IGNORED.has(name) || name.startsWith('.');
}

/** Reports changes below a folder, except in hidden files, node_modules and __pycache__. */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: unknown;
  #isPaused = false;
  #isClosed = false;

  constructor(
    private readonly folder: string,
    private readonly onChange: () => void,
    private readonly timers: Timers,
  ) {}

  async open(): Promise<void> {
    await this.#watchDirectory(this.folder);
  }

  /** Changes are ignored until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.timers.clear(this.#timer);
  }

  /** Changes of the last moment are still ignored: their messages may arrive late. */
  resume(): void {
    this.timers.clear(this.#timer);
    this.#timer = this.timers.set(() => {
      this.#isPaused = false;
    }, QUIET_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.timers.clear(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Call it when the entry `name` of a watched directory has changed. */
  note(directory: string, name: string | null): void {
    if (this.#isClosed || (name !== null && isIgnored(name))) return;
    // A new directory.
    if (name !== null) void this.#watchDirectory(join(directory, name));
    if (this.#isPaused) return;
    this.timers.clear(this.#timer);
    this.#timer = this.timers.set(this.onChange, QUIET_MS);
  }

  async #watchDirectory(directory: string): Promise<void> {
    if (this.#watchers.has(directory) || this.#watchers.size >= MOST_DIRECTORIES) return;
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => undefined);
    if (!entries || this.#isClosed || this.#watchers.has(directory)) return;
    const forget = () => {
      this.#watchers.get(directory)?.close();
      this.#watchers.delete(directory);
    };
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => this.note(directory, name));
      watcher.on('error', forget);
      this.#watchers.set(directory, watcher);
    } catch {
      // The limit of the system: the directories watched so far are enough.
      return;
    }
    const below = entries.filter((entry) => entry.isDirectory() && !isIgnored(entry.name));
    for (const { name } of below) await this.#watchDirectory(join(directory, name));
  }
}
