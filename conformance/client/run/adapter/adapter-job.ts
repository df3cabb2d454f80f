import {
  OutputTail,
  type RunningClient,
  type RunTermination,
  STDERR_KEPT,
  STDOUT_KEPT,
} from '../processes.js';
import type { JobReport } from './adapter-messages.js';

/** A job of a persistent adapter, as a running client. */
export class AdapterJob implements RunningClient {
  readonly #output = new OutputTail(STDOUT_KEPT);
  readonly #errors = new OutputTail(STDERR_KEPT);
  #report: JobReport | undefined;
  /** Settles when the adapter has reported it, or will not. */
  readonly over: Promise<void>;
  #settle = () => {};

  /** `line`: the message that gives it to the adapter. `stop` ends it and returns the number of processes that it left behind. */
  constructor(
    readonly line: string,
    private readonly onEnd: (end: RunTermination) => void,
    private readonly stop: (job: AdapterJob) => Promise<number>,
  ) {
    this.over = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** The result line. Without a result: what the client printed itself. */
  get stdout(): { text: string } {
    const { result } = this.#report ?? {};
    return result === undefined ? this.#output : { text: JSON.stringify(result) };
  }

  get stderr(): { text: string } {
    return { text: this.#report?.stderr ?? this.#errors.text };
  }

  get jobs(): NonNullable<RunningClient['jobs']> {
    const { other, ...main } = this.#report ?? {};
    return { main: 'result' in main ? readEnd(main) : undefined, other: other && readEnd(other) };
  }

  addOutput(text: string): void {
    this.#output.add(text, () => this.onEnd({ end: 'output-flood' }));
  }

  addErrors(text: string): void {
    this.#errors.add(text, () => this.onEnd({ end: 'output-flood' }));
  }

  report(report: JobReport): void {
    this.#report = report;
    const { exit_code: exitCode = null, signal = null } = report;
    this.end({ end: 'by-itself', exitCode, signal });
  }

  end(end: RunTermination): void {
    this.onEnd(end);
    this.#settle();
  }

  async finish(): Promise<number> {
    // Not those of a job that is ended here: it did not leave them.
    const left = this.#report?.left_behind ?? 0;
    return left + (await this.stop(this));
  }
}

function readEnd({ result, exit_code = null }: Pick<JobReport, 'result' | 'exit_code'>) {
  return { text: result === undefined ? '' : JSON.stringify(result), exitCode: exit_code };
}
