import { type Conformed, type ConformOptions, conform } from '../conform.js';
import { redactReport } from '../report/redact-report.js';
import type { CheckResult } from '../service/runner/result.js';

/** A run that many tests share: begun by the first that needs it, for all that will. */
export class SharedRun {
  readonly #stop = new AbortController();
  readonly #passed = new Map<string, CheckResult>();
  readonly #listeners = new Set<() => void>();
  #report: Promise<Conformed> | undefined;

  /** `options` is asked once, when the run begins. */
  constructor(private readonly options: () => Promise<ConformOptions>) {}

  /** What became of a check: at once when it has passed, else when the run is over and its exchanges are known. */
  async of(check: string, report: Promise<Conformed>): Promise<CheckResult> {
    const ended = report.then(({ checks }) => checks.find(({ id }) => id === check));
    const result = await Promise.race([this.#pass(check), ended]);
    if (!result) throw new Error(`The run has ended without a word on ${check}.`);
    return result;
  }

  /** The report of the run, which begins with the first call. `checks` are those that it is for; `signal` ends it. */
  begin(checks: () => readonly string[], signal: AbortSignal): Promise<Conformed> {
    signal.addEventListener('abort', () => this.#stop.abort(), { once: true });
    this.#report ??= this.#run(checks());
    return this.#report;
  }

  /** Resolves when everything that was created on the target has been removed. */
  async over(): Promise<void> {
    await this.#report?.catch(() => {});
  }

  async #run(checks: readonly string[]): Promise<Conformed> {
    const options = await this.options();
    const report = await conform({ ...options, only: checks, signal: this.#stop.signal }, (event) => {
      if (event.type !== 'check' || event.check.outcome !== 'passed') return;
      this.#passed.set(event.check.id, event.check);
      for (const listener of this.#listeners) listener();
    });
    const { other, free, exhausted } = options.keys ?? {};
    const keys = [options.apiKey, other, free, exhausted].filter((key) => key !== undefined);
    return { ...report, ...redactReport(report, keys) };
  }

  #pass(check: string): Promise<CheckResult> {
    return new Promise((resolve) => {
      const look = () => {
        const result = this.#passed.get(check);
        if (result === undefined) return;
        this.#listeners.delete(look);
        resolve(result);
      };
      this.#listeners.add(look);
      look();
    });
  }
}
