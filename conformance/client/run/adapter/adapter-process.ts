import { real } from '../../../../mock/clock/real.js';
import { ClientProcess, type RunTermination } from '../processes.js';
import { AdapterJob } from './adapter-job.js';
import {
  ADAPTER_OFFER,
  type AdapterHandshake,
  AdapterOutput,
  MESSAGE_PREFIX,
  readHandshake,
  readReport,
} from './adapter-messages.js';

/** Longest time from the start of an adapter to its handshake, real ms. */
const HANDSHAKE_MS = 30_000;
/** Time for an adapter to end and report a job that is cancelled, real ms. */
const CANCEL_MS = 2000;

interface AdapterListener {
  /** It has done a job and takes another one. */
  onIdle(process: AdapterProcess): void;
  /** It takes no more jobs. `why`: it did not follow the protocol. */
  onOver(process: AdapterProcess, why?: string): void;
}

/** A process of a persistent adapter. It does one job at a time. */
export class AdapterProcess {
  readonly #process: ClientProcess;
  #handshake: AdapterHandshake | undefined;
  #job: { id: string; job: AdapterJob; onLost: () => void } | undefined;
  #given = 0;
  #isOver = false;
  /** Why it gets no other job. */
  #problem: string | undefined;
  #finished: Promise<number> | undefined;
  #handshakeTimer: NodeJS.Timeout | undefined;

  /** `env`: the environment of its first job. */
  constructor(
    words: readonly string[],
    env: Readonly<Record<string, string>>,
    private readonly listener: AdapterListener,
  ) {
    const output = new AdapterOutput(
      (text) => this.#receive(text),
      // Before the handshake it is output of the adapter.
      (text) => this.#handshake && this.#job?.job.addOutput(text),
    );
    const onEnd = (end: RunTermination) => void this.#onEnd(end, output);
    this.#process = new ClientProcess(words, { ...env, ...ADAPTER_OFFER }, onEnd, {
      onStdout: (text) => output.add(text),
      onStderr: (text) => this.#job?.job.addErrors(text),
      hasInput: true,
    });
  }

  /**
   * Gives it a job: the fields of the message, without the id, as JSON. `onLost`: the process ended in the job although it has done
   * others.
   */
  begin(fields: string, onEnd: (end: RunTermination) => void, onLost: () => void): AdapterJob {
    const id = String(++this.#given);
    const job = new AdapterJob(`{"id":"${id}",${fields}}\n`, onEnd, (each) => this.#stop(id, each));
    this.#job = { id, job, onLost };
    if (this.#handshake) this.#process.write(job.line);
    else this.#handshakeTimer = real.setTimeout(() => job.end({ end: 'deadline' }), HANDSHAKE_MS).unref();
    return job;
  }

  /** Ends the process. Returns the number of processes that it left behind when it ended by itself. */
  close(): Promise<number> {
    this.#isOver = true;
    real.clearTimeout(this.#handshakeTimer);
    this.#finished ??= this.#process.finish();
    return this.#finished;
  }

  #receive(text: string): void {
    if (this.#isOver) return;
    if (this.#handshake) this.#receiveReport(text);
    else this.#receiveHandshake(text);
  }

  #receiveHandshake(text: string): void {
    const read = readHandshake(text);
    if ('problem' in read) {
      this.#end({ end: 'not-started', error: describeHandshakeProblem(read.problem) });
      return;
    }
    this.#handshake = read.message;
    real.clearTimeout(this.#handshakeTimer);
    if (this.#job) this.#process.write(this.#job.job.line);
  }

  #receiveReport(text: string): void {
    const read = readReport(text);
    if ('problem' in read) {
      this.#fail(text, `a message is not valid: ${read.problem}`);
      return;
    }
    const { id } = read.message;
    const current = this.#job;
    if (current?.id === id) {
      this.#job = undefined;
      current.job.report(read.message);
      if (this.#problem === undefined) this.listener.onIdle(this);
      else this.#end({ end: 'by-itself' }, this.#problem);
    } else if (Number(id) > 0 && Number(id) <= this.#given) this.#replace('it reported a job twice');
    else this.#fail(text, 'it reported a job that it was not given');
  }

  /** Ends the process after its current job, which is not affected. */
  #replace(why: string): void {
    if (this.#job) this.#problem = why;
    else this.#end({ end: 'by-itself' }, why);
  }

  /** Ends the job as a command that prints this line and exits. */
  #fail(text: string, why: string): void {
    this.#job?.job.addOutput(`${MESSAGE_PREFIX}${text}\n`);
    this.#end({ end: 'by-itself', exitCode: 0, signal: null }, why);
  }

  async #onEnd(end: RunTermination, output: AdapterOutput): Promise<void> {
    await this.#process.drain();
    output.end();
    if (this.#isOver) return;
    if (end.end === 'by-itself' && this.#given > 1) this.#job?.onLost();
    this.#end(end);
  }

  #end(end: RunTermination, why?: string): void {
    this.#isOver = true;
    this.#job?.job.end(end);
    this.listener.onOver(this, why);
  }

  async #stop(id: string, job: AdapterJob): Promise<number> {
    const isOpen = () => this.#job?.id === id;
    if (isOpen() && !this.#isOver && this.#handshake && this.#handshake.isolation !== 'none') {
      this.#process.write(`{"cancel":"${id}"}\n`);
      await Promise.race([job.over, real.sleep(CANCEL_MS, undefined, { ref: false })]);
    }
    if (!isOpen()) return 0;
    this.#job = undefined;
    if (!this.#isOver) this.listener.onOver(this);
    return this.close();
  }
}

export function describeHandshakeProblem(problem: string): string {
  return `its first message is no handshake of an adapter that taskdouble supports: ${problem}`;
}
