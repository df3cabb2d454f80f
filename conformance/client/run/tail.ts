/** The end of a stream of text; what is before it is thrown away. */
export class Tail {
  #chunks: Buffer[] = [];
  #kept = 0;
  /** Bytes that have come in all. */
  total = 0;

  /** `most`: bytes that are kept at least, where so many came. */
  constructor(private readonly most: number) {}

  add(chunk: Buffer): void {
    this.total += chunk.length;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    while (this.#kept - this.#chunks[0]!.length >= this.most) this.#kept -= this.#chunks.shift()!.length;
  }

  /** Something has been thrown away. */
  get cut(): boolean {
    return this.total > this.#kept;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
