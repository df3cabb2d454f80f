/** The file of `journaled.ts`: steps as JSON texts, and how an attempt ends. */

type Json = ReturnType<typeof JSON.parse>;
export type StepFile = Map<string, string>;

function copyWithin(value: Json, change: (value: Json) => Json, depth = 0): Json {
  if (depth > 6 && change === limitDepth) return '[nested]';
  if (Array.isArray(value)) return value.map((item) => copyWithin(item, change, depth + 1));
  if (value === null || typeof value !== 'object') return change(value);
  let entries = Object.entries(value).map(([key, item]) => [key, copyWithin(item, change, depth + 1)]);
  if (change === dropDollarKeys) entries = entries.filter(([key]) => !key.startsWith('$'));
  const copy: Json = {};
  if (change === assignKeys) for (const [key, item] of entries) copy[key] = item;
  return change === assignKeys ? copy : Object.fromEntries(entries);
}

const limitDepth = (value: Json): Json => value;
const dropDollarKeys = (value: Json): Json => value;
const assignKeys = (value: Json): Json => value;
const roundNumber = (value: Json): Json => (typeof value === 'number' ? Number(value.toFixed(2)) : value);
const cutText = (value: Json): Json => (typeof value === 'string' ? value.slice(0, 4096) : value);

/** The steps, as JSON texts in the order of their recording. */
export class Journal {
  constructor(
    private readonly file: StepFile,
    private readonly bug: string,
  ) {}

  get size(): number {
    return this.file.size;
  }

  has(key: string): boolean {
    return this.file.has(key);
  }

  delete(key: string): void {
    this.file.delete(key);
  }

  read(key: string): Json {
    const text = this.file.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  list(prefix: string): Json[] {
    const keys = [...this.file.keys()].filter((key) => key.startsWith(prefix));
    if (this.bug === 'sorts-keys') keys.sort();
    return keys.map((key) => this.read(key));
  }

  write(key: string, value: Json): void {
    this.file.set(key, this.format(value));
  }

  private format(value: Json): string {
    const { bug } = this;
    if (bug === 'assigns-keys') return JSON.stringify(copyWithin(value, assignKeys));
    if (bug === 'depth-limit') return JSON.stringify(copyWithin(value, limitDepth));
    if (bug === 'dollar-keys') return JSON.stringify(copyWithin(value, dropDollarKeys));
    if (bug === 'two-decimals') return JSON.stringify(copyWithin(value, roundNumber));
    if (bug === 'cut-at-4k') return JSON.stringify(copyWithin(value, cutText));
    const text = JSON.stringify(value ?? null);
    if (bug === 'quotes-unescaped') return text.replace(/(?<!\\)\\"/g, "'");
    if (bug === 'line-ends') return text.replaceAll('\\r\\n', '\\n');
    if (bug === 'latin1-file') return Buffer.from(text, 'latin1').toString('latin1');
    if (bug === 'drops-null-fields')
      return JSON.stringify(value ?? null, (key, item) => (item === null && key ? undefined : item));
    return text;
  }
}

/** Ends an attempt. The next one starts from the file, at the earliest at `at`. */
export class Interruption extends Error {
  constructor(
    message: string,
    readonly at = 0,
  ) {
    super(message);
  }
}

export const isActive = (status: unknown): boolean => status === 'waiting' || status === 'running';

export function sleepUntil(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - Date.now())));
}
