import { createValidator } from '../../../../spec/json-schema/evaluate.js';
import { findViolations, showKind } from '../../../../spec/json-schema/violations.js';
import schema from './adapter.schema.json' with { type: 'json' };

/** Begins each message of an adapter, at the start of a line of its stdout. Other lines are output of the client. */
export const MESSAGE_PREFIX = 'taskdouble:';

/** Offers the protocol to a command: the highest version that this end supports. */
export const ADAPTER_OFFER = { TASKDOUBLE_ADAPTER: '1' } as const;

/** Longest line that can be a message, in characters. */
const LONGEST_LINE = 8 * 1024 * 1024;

/** The first message of an adapter: adapter.schema.json. */
export interface AdapterHandshake {
  language?: string;
  isolation: 'fork' | 'process' | 'none';
  time: 'virtual' | 'real';
  other_job?: boolean;
}

/** How a job ended: adapter.schema.json. */
export interface JobReport {
  id: string;
  result?: unknown;
  exit_code?: number | null;
  signal?: string | null;
  stderr?: string;
  left_behind?: number;
  other?: Pick<JobReport, 'result' | 'exit_code'>;
}

/** A message, or why it is none. */
type ReadMessage<M> = { message: M } | { problem: string };

export const readHandshake = createReader<AdapterHandshake>('handshake');
export const readReport = createReader<JobReport>('report');

function createReader<M>(name: keyof typeof schema.$defs): (text: string) => ReadMessage<M> {
  const validate = createValidator(schema, `/$defs/${name}`);
  return (text) => {
    try {
      const message: unknown = JSON.parse(text);
      const [violation] = findViolations(validate, message, [], '', showKind);
      return violation ? { problem: violation.message } : { message: message as M };
    } catch {
      return { problem: 'it is no JSON' };
    }
  };
}

const ISOLATIONS = {
  fork: 'a forked process for each job',
  process: 'a process for each job',
  none: 'one process for all jobs',
} as const;

/** `python, a forked process for each job`: how reports name the adapter. */
export function describeAdapter({ language, isolation }: AdapterHandshake): string {
  return `${language === undefined ? '' : `${language}, `}${ISOLATIONS[isolation]}`;
}

/** Separates the messages of an adapter from the other output on its stdout. */
export class AdapterOutput {
  #rest = '';

  constructor(
    private readonly onMessage: (text: string) => void,
    private readonly onOutput: (text: string) => void,
  ) {}

  add(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.#read(line, '\n');
    if (this.#rest.length > LONGEST_LINE) this.end();
  }

  /** Handles the last line, if it is not terminated. */
  end(): void {
    const line = this.#rest;
    this.#rest = '';
    this.#read(line, '');
  }

  #read(line: string, end: string): void {
    if (line.startsWith(MESSAGE_PREFIX)) this.onMessage(line.slice(MESSAGE_PREFIX.length));
    else if (line !== '') this.onOutput(line + end);
  }
}
