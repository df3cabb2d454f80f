import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MOST_REPORTS = 20;

interface KeptReport {
  /** Of `json`, `md` and `html`. */
  file: (ending: string) => string;
  /** The file of the first race that the run found or repeated. */
  race?: string | undefined;
}

/** The reports of the last runs, in a temporary directory that is removed when the process ends. */
export class KeptReports {
  readonly #reports = new Map<string, KeptReport>();
  #root: string | undefined;
  #last = 0;

  /** Makes room for a new report, whose files the caller writes. */
  open(): { name: string; report: KeptReport } {
    if (this.#root === undefined) {
      this.#root = mkdtempSync(join(tmpdir(), 'taskdouble-mcp-'));
      process.once('exit', () => this.remove());
    }
    const name = String(++this.#last);
    const folder = join(this.#root, name);
    mkdirSync(folder);
    const report: KeptReport = { file: (ending) => join(folder, `report.${ending}`) };
    this.#reports.set(name, report);
    const oldest = String(this.#last - MOST_REPORTS);
    if (this.#reports.delete(oldest)) rmSync(join(this.#root, oldest), { recursive: true, force: true });
    return { name, report };
  }

  get(name: string): KeptReport | undefined {
    return this.#reports.get(name);
  }

  listNames(): string[] {
    return [...this.#reports.keys()];
  }

  remove(): void {
    if (this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true });
    this.#root = undefined;
    this.#reports.clear();
  }
}
