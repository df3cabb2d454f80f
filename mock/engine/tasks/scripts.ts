import type { ResultCode } from '../../../spec/vocabulary.js';
import type { Random } from '../../generate/random.js';
import type { Page } from './page.js';

/** A script of an evaluate_js and everything that it may depend on. */
export interface Script {
  js: string;
  args: unknown;
  page: Page;
  /** ms of the organisation's clock. */
  now: number;
  random: Random;
}

/** The result of the action: the value as JSON, or a message about the error. */
export interface ScriptOutcome {
  code: ResultCode;
  output: unknown;
}

/** Runs a script; never throws. Its interpreter is large, so it is handed in once the first evaluate_js needs it. */
export type RunScript = (script: Script) => ScriptOutcome;
