import type { Scenario } from '../../../../scenarios/format/types.js';
import type { Client, ClientRun } from '../../types.js';
import { type PlayOptions, play } from '../play.js';
import {
  ClientProcess,
  type ClientStarter,
  OutputTail,
  type RunningClient,
  type RunTermination,
  STDERR_KEPT,
  STDOUT_KEPT,
} from '../processes.js';
import {
  ADAPTER_OFFER,
  type AdapterHandshake,
  AdapterOutput,
  describeAdapter,
  readHandshake,
} from './adapter-messages.js';
import { AdapterPool } from './adapter-pool.js';
import { describeHandshakeProblem } from './adapter-process.js';

/** Runs a client. The first run of a command shows whether it is a persistent adapter, which then does all jobs. */
export class ClientRunner {
  #client: Client;
  #handshake: AdapterHandshake | undefined;
  #pool: AdapterPool | undefined;
  #first: Promise<ClientRun | undefined> | undefined;

  constructor(
    client: Client,
    private readonly onNote: (text: string) => void = () => {},
  ) {
    this.#client = client;
  }

  /** The client as it is run; before the first run, as it was given. */
  get client(): Client {
    return this.#client;
  }

  /** `python, a forked process for each job`; undefined if the client is no persistent adapter. */
  get adapter(): string | undefined {
    return this.#handshake && describeAdapter(this.#handshake);
  }

  /** Whether the client can do two jobs in one process. */
  get canDoOtherJob(): boolean {
    return this.#client.kind === 'function' || this.#handshake?.other_job === true;
  }

  async play(scenario: Scenario, options: PlayOptions = {}): Promise<ClientRun> {
    const isFirst = this.#first === undefined;
    this.#first ??= this.#playFirst(scenario, options);
    const first = await this.#first;
    if (isFirst && first) return first;
    return this.#pool
      ? this.#playInAdapter(this.#pool, scenario, options)
      : play(scenario, this.#client, options);
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }

  /** The run of a command that is no persistent adapter; otherwise undefined. */
  async #playFirst(scenario: Scenario, options: PlayOptions): Promise<ClientRun | undefined> {
    const client = this.#client;
    // The address is another one for each run.
    if (client.kind === 'function' || client.command.some((word) => word.includes('{base_url}')))
      return play(scenario, client, options);
    let handshake: AdapterHandshake | undefined;
    const start: ClientStarter = (words, env, onEnd) =>
      new OfferedCommand(words, env, onEnd, (found) => {
        handshake = found;
        onEnd({ end: 'aborted' });
      });
    const run = await play(scenario, client, { ...options, start });
    if (!handshake) return run;
    this.#handshake = handshake;
    this.#pool = new AdapterPool(this.onNote);
    this.#client = this.#selectTime(client, handshake);
    this.onNote(`the command is a persistent adapter: ${describeAdapter(handshake)}`);
    return undefined;
  }

  #selectTime(client: Exclude<Client, { kind: 'function' }>, { time }: AdapterHandshake): Client {
    const { command } = client;
    const isWanted = client.kind === 'command' ? client.timeOfAdapter === 'virtual' : true;
    if (isWanted && time === 'virtual') return { kind: 'adapter', command };
    if (client.kind === 'node')
      this.onNote('the adapter does not follow virtual time: it is run in real time');
    return { kind: 'command', command };
  }

  async #playInAdapter(pool: AdapterPool, scenario: Scenario, options: PlayOptions): Promise<ClientRun> {
    let isLost = false;
    const start = pool.start(() => {
      isLost = true;
    });
    const doesOtherJob = this.canDoOtherJob;
    const run = await play(scenario, this.#client, { ...options, start, doesOtherJob });
    // A process that ended between two jobs: this one is not the cause.
    if (isLost && run.exchanges.length === 0 && run.end === 'by-itself')
      return this.#playInAdapter(pool, scenario, options);
    run.adapter = this.adapter;
    return run;
  }
}

/** A command in its first run: does its job, or says that it is a persistent adapter. */
class OfferedCommand implements RunningClient {
  readonly stdout = new OutputTail(STDOUT_KEPT);
  readonly stderr = new OutputTail(STDERR_KEPT);
  readonly #output: AdapterOutput;
  readonly #process: ClientProcess;

  constructor(
    words: readonly string[],
    env: Readonly<Record<string, string>>,
    onEnd: (end: RunTermination) => void,
    onHandshake: (handshake: AdapterHandshake) => void,
  ) {
    const flood = () => onEnd({ end: 'output-flood' });
    const onMessage = (text: string) => {
      const read = readHandshake(text);
      if ('message' in read) onHandshake(read.message);
      else onEnd({ end: 'not-started', error: describeHandshakeProblem(read.problem) });
    };
    this.#output = new AdapterOutput(onMessage, (text) => this.stdout.add(text, flood));
    this.#process = new ClientProcess(words, { ...env, ...ADAPTER_OFFER }, onEnd, {
      onStdout: (text) => this.#output.add(text),
      onStderr: (text) => this.stderr.add(text, flood),
    });
  }

  async finish(): Promise<number> {
    const left = await this.#process.finish();
    this.#output.end();
    return left;
  }
}
