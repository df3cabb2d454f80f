import type { Random } from '../../generate/random.js';
import type { Organisation } from '../organisation.js';
import type { Action, Task } from './task.js';

export interface Page {
  url: string;
  title: string;
  description: string;
}

/** A script of an `evaluate_js` action and all inputs that it may depend on. */
export interface Script {
  js: string;
  args: unknown;
  page: Page;
  /** ms of the organisation's clock. */
  now: number;
  random: readonly number[];
}

/** The result of the action: the value as JSON, or an error message. */
export type ScriptOutcome = NonNullable<Action['outcome']>;

/** Runs a script; never throws or rejects. */
export type ScriptRunner = (script: Script) => Promise<ScriptOutcome>;

const CONTENT = {
  type: 'object',
  properties: { title: { type: 'string' }, description: { type: 'string' } },
  required: ['title', 'description'],
};

/**
 * The page at the time of an action (or of the next action): the last address that an earlier action opened.
 */
export function buildPage(task: Task, action?: Action): Page {
  let url = readUrl(task.request) ?? 'about:blank';
  for (const each of task.actions?.values() ?? []) {
    if (each === action) break;
    if (each.name === 'goto' || each.name === 'run_task') url = readUrl(each.input) ?? url;
  }
  const { organisation } = task;
  const content = organisation.setup.getGenerators().generateValue(CONTENT, forkRandom(organisation, url));
  return { title: '', description: '', ...(content as Partial<Page> | undefined), url };
}

/**
 * The same page with the same schema gives the same data in every session, independent of earlier actions.
 */
export function extractData(organisation: Organisation, page: Page, schema: unknown): unknown {
  const generators = organisation.setup.getGenerators();
  let value = generators.generateValue(schema, forkRandom(organisation, page.url)) ?? null;
  if (value === null || typeof value !== 'object') return value;
  for (const key of ['title', 'description', 'url'] as const) {
    if (!Object.hasOwn(value, key)) continue;
    const known: unknown = { ...value, [key]: page[key] };
    if (generators.isValid(schema, known)) value = known as object;
  }
  return value;
}

/** A script runs when it is sent, in the page that earlier actions opened. Undefined for an input without a script. */
export function readScript(
  task: Task,
  id: string,
  { js, args }: Readonly<Record<string, unknown>>,
): Script | undefined {
  if (typeof js !== 'string') return undefined;
  const { now, random } = task.organisation;
  return { js, args, page: buildPage(task), now, random: random.fork(`script ${task.id} ${id}`).saveState() };
}

export function toScriptResult({ dialect }: Organisation, outcome: ScriptOutcome): ScriptOutcome {
  const isRefused = outcome.code === 500 && dialect['event.script-error'] === '400';
  return isRefused ? { ...outcome, code: 400 } : outcome;
}

function forkRandom(organisation: Organisation, url: string): Random {
  return organisation.random.fork(`page ${url}`);
}

function readUrl({ url }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof url === 'string' && url !== '' ? url : undefined;
}
