import type { RemoteConfig } from '../../../../mock/virtual-time/remote-messages.js';
import type { ClientStarter } from '../processes.js';
import { AdapterProcess } from './adapter-process.js';

/** The processes of a persistent adapter: one for each run in progress. */
export class AdapterPool {
  readonly #idle: AdapterProcess[] = [];
  readonly #running = new Set<AdapterProcess>();
  readonly #notes = new Set<string>();

  /** `onNote` is called once for each way in which the adapter does not follow the protocol. */
  constructor(private readonly onNote: (text: string) => void) {}

  /** Gives a run to a process that has nothing to do, else to a new one. `onLost`: see `AdapterProcess.begin`. */
  start(onLost: () => void): ClientStarter {
    return (words, env, onEnd) => {
      const process = this.#idle.pop() ?? this.#create(words, selectJobVariables(env));
      return process.begin(formatJob(env), onEnd, onLost);
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((process) => process.close()));
  }

  #create(words: readonly string[], env: Readonly<Record<string, string>>): AdapterProcess {
    const process = new AdapterProcess(words, env, {
      onIdle: (idle) => this.#idle.push(idle),
      onOver: (over, why) => {
        const at = this.#idle.indexOf(over);
        if (at !== -1) this.#idle.splice(at, 1);
        if (why !== undefined) this.#addNote(`the adapter is started again: ${why}`);
        over.close().finally(() => this.#running.delete(over));
      },
    });
    this.#running.add(process);
    return process;
  }

  #addNote(text: string): void {
    if (!this.#notes.has(text)) this.onNote(text);
    this.#notes.add(text);
  }
}

/** Without those that make the time of a Node.js process virtual. In Python, sets have the same order in each process. */
function selectJobVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  const { PYTHONHASHSEED = '0' } = process.env;
  const names = ['TASKDOUBLE_BASE_URL', 'TASKDOUBLE_API_KEY', 'TASKDOUBLE_SCENARIO', 'TASKDOUBLE_JOB'];
  return { PYTHONHASHSEED, ...Object.fromEntries(names.map((name) => [name, env[name] ?? ''])) };
}

/** The environment of a run as the fields of a message. */
function formatJob(env: Readonly<Record<string, string>>): string {
  const { TASKDOUBLE_JOB: job, TASKDOUBLE_OTHER_JOB: other, TASKDOUBLE_TIME: time } = env;
  const fields = [
    `"base_url":${JSON.stringify(env['TASKDOUBLE_BASE_URL'])}`,
    `"api_key":${JSON.stringify(env['TASKDOUBLE_API_KEY'])}`,
    `"scenario":${JSON.stringify(env['TASKDOUBLE_SCENARIO'])}`,
    `"job":${job}`,
  ];
  if (other !== undefined) fields.push(`"other_job":${other}`);
  if (time !== undefined) {
    const { port, token, process } = JSON.parse(time) as RemoteConfig;
    fields.push(`"time":${JSON.stringify({ port, token, process })}`);
  }
  return fields.join(',');
}
