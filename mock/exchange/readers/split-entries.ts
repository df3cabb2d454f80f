const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** Bytes kept outside of the entries: pages, creator, comments. */
const LARGEST_FRAME = 8 * 1024 * 1024;
/** Characters of a key that are compared. */
const LONGEST_KEY = 20;

interface SplitOptions {
  /** Called with the text of each element of `log.entries`. */
  onEntry: (text: string, index: number) => void;
  largestEntry: number;
  /** Called for an entry beyond the limit. */
  onLargeEntry: (index: number) => never;
}

/**
 * Splits a HAR, from chunks of bytes of any size, into the elements of `log.entries`. Holds at most one element. It only tracks brackets
 * and strings: the caller parses the elements.
 */
export class EntrySplitter {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The beginning of the last string, which may be a key. */
  #string = '';
  /** The path to the current place: a key of the outermost object, and one of the object inside it. */
  readonly #keys = ['', ''];
  #isInEntries = false;
  /** Bytes of the current entry, or of the text outside of the entries. */
  #pieces: Buffer[] = [];
  #size = 0;
  #frame: Buffer[] = [];
  #frameSize = 0;
  count = 0;

  constructor(private readonly options: SplitOptions) {}

  /** True if the bytes so far end in the middle of the JSON. */
  get isTorn(): boolean {
    return this.#depth > 0 || this.#isInString;
  }

  /** The JSON with an empty list of entries; undefined if it is too large. */
  readFrame(): string | undefined {
    if (!this.#isInEntries) this.#endFrame();
    return this.#frameSize <= LARGEST_FRAME ? Buffer.concat(this.#frame).toString() : undefined;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#isInString) {
        this.#readString(byte);
      } else if (byte === QUOTE) {
        this.#isInString = true;
        this.#string = '';
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.#depth++;
        if (byte !== OPEN_LIST || this.#depth !== 3 || this.#keys.join('.') !== 'log.entries') continue;
        this.#keep(chunk.subarray(from, at + 1));
        this.#endFrame();
        this.#isInEntries = true;
        from = at + 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.#depth--;
        if (!this.#isInEntries || this.#depth !== 2) continue;
        this.#keep(chunk.subarray(from, at));
        this.#endEntry();
        this.#isInEntries = false;
        from = at;
      } else if (byte === COMMA && this.#isInEntries && this.#depth === 3) {
        this.#keep(chunk.subarray(from, at));
        this.#endEntry();
        from = at + 1;
      } else if (byte === COLON && (this.#depth === 1 || this.#depth === 2)) {
        this.#keys[this.#depth - 1] = this.#string;
      }
    }
    this.#keep(chunk.subarray(from));
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
    else if (this.#depth <= 2 && this.#string.length < LONGEST_KEY) this.#string += String.fromCharCode(byte);
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    const { largestEntry, onLargeEntry } = this.options;
    if (this.#isInEntries && this.#size > largestEntry) onLargeEntry(this.count);
    if (this.#isInEntries || this.#frameSize + this.#size <= LARGEST_FRAME) this.#pieces.push(bytes);
  }

  #endEntry(): void {
    const text = Buffer.concat(this.#pieces).toString();
    this.#clear();
    if (text.trim() !== '') this.options.onEntry(text, this.count++);
  }

  #endFrame(): void {
    this.#frame.push(...this.#pieces);
    this.#frameSize += this.#size;
    this.#clear();
  }

  #clear(): void {
    this.#pieces = [];
    this.#size = 0;
  }
}
