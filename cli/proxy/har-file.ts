import { closeSync, openSync, writeSync } from 'node:fs';
import { VERSION } from '../../conformance/common/version.js';
import { toHar } from '../../mock/exchange/readers/har-writer.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { checkWritable } from '../judging/outputs.js';

/** Bodies may hold what only their owner may read. */
const OWNER_ONLY = 0o600;

/** The exchanges as a HAR 1.2 file, written as they end. It replaces a file that is there. */
export class HarFile {
  readonly #fd: number;
  #entries = 0;
  #isBroken = false;

  /** Throws UsageError when the file cannot be written. `onProblem` is called once when writing fails later. */
  constructor(
    private readonly path: string,
    private readonly baseUrl: string,
    private readonly onProblem: (line: string) => void,
  ) {
    checkWritable('--har', path);
    this.#fd = openSync(path, 'w', OWNER_ONLY);
    const creator = JSON.stringify({ name: 'taskdouble', version: VERSION });
    this.#put(`{"log":{"version":"1.2","creator":${creator},"entries":[`);
  }

  write(exchange: Exchange): void {
    const [entry] = toHar([exchange], { base_url: this.baseUrl }).log.entries;
    this.#put(`${this.#entries++ === 0 ? '' : ','}\n${JSON.stringify(entry)}`);
  }

  close(): void {
    this.#put('\n]}}\n');
    closeSync(this.#fd);
  }

  #put(text: string): void {
    if (this.#isBroken) return;
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      this.#isBroken = true;
      this.onProblem(`the HAR ${this.path} is not written any more: ${(error as Error).message}`);
    }
  }
}
