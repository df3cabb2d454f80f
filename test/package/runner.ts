import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startChild } from '../support/children.js';
import { createEnvironment } from './environment.js';
import { ROOT } from './pack.js';

export interface CompositeStep {
  id?: string;
  if?: string;
  uses?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
  run?: string;
  shell?: string;
  'working-directory'?: string;
}

interface ActionDefinition {
  inputs: Record<string, { description: string; required?: boolean; default?: string }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: CompositeStep[] };
}

export const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as ActionDefinition;

/** What a job sees of a run of the action. */
export interface ActionRun {
  /** Exit code of the last step. */
  code: number;
  /** Everything that the steps printed. */
  log: string;
  outputs: Record<string, string>;
  summary: string;
  /** What the steps that are actions themselves were given, by their name. */
  used: Record<string, Record<string, string>>;
}

/** Runs the steps of action.yml in `directory` as a runner of GitHub does: scripts by bash, inputs in place of expressions. */
export async function runAction(
  directory: string,
  given: Record<string, string>,
  env: NodeJS.ProcessEnv = {},
  strategy: Record<string, string> = { 'strategy.job-index': '0', 'strategy.job-total': '1' },
): Promise<ActionRun> {
  const defaults = Object.entries(action.inputs).map(([name, { default: value = '' }]) => [name, value]);
  const values: Record<string, string> = { ...strategy };
  for (const [name, value] of [...defaults, ...Object.entries(given)]) values[`inputs.${name}`] = value!;
  const fill = (text: string) =>
    text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`action.yml: there is nothing called ${name}`);
      return values[name];
    });
  const fillAll = (texts: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));

  const runner = new StepRunner(directory, env);
  const used: ActionRun['used'] = {};
  let code = 0;
  for (const step of action.runs.steps) {
    if (step.uses !== undefined) {
      used[step.uses] = fillAll(step.with);
      continue;
    }
    const cwd = join(directory, fill(step['working-directory'] ?? '.'));
    code = await runner.run(step.run!, cwd, fillAll(step.env));
    for (const [name, value] of runner.readOutputs()) values[`steps.${step.id}.outputs.${name}`] = value;
    if (code !== 0) break;
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => {
    const [, key] = /\{\{\s*(.*?)\s*\}\}/.exec(value)!;
    return [name, values[key!] ?? ''];
  });
  return { code, log: runner.log, outputs: Object.fromEntries(outputs), summary: runner.readSummary(), used };
}

class StepRunner {
  readonly #directory: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #temp: string;
  log = '';

  constructor(directory: string, env: NodeJS.ProcessEnv) {
    this.#directory = directory;
    this.#env = env;
    this.#temp = mkdtempSync(join(directory, '.runner-'));
  }

  async run(script: string, cwd: string, env: Record<string, string>): Promise<number> {
    const file = join(this.#temp, 'step.sh');
    writeFileSync(file, script);
    const places = {
      GITHUB_OUTPUT: this.#toPath('output'),
      GITHUB_STEP_SUMMARY: this.#toPath('summary'),
      GITHUB_ACTION_PATH: this.#env.GITHUB_ACTION_PATH ?? this.#directory,
      RUNNER_TEMP: this.#temp,
    };
    const child = startChild('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
      cwd: existsSync(cwd) ? cwd : this.#directory,
      env: { ...createEnvironment(), ...this.#env, ...env, ...places },
      stdio: ['ignore', 'pipe', 'pipe'],
      // With npx, and what npx starts.
      detached: true,
    });
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        this.log += chunk;
      });
    }
    const [code] = await once(child, 'close');
    return code as number;
  }

  /** The lines NAME=VALUE that steps have written so far. */
  readOutputs(): [string, string][] {
    const lines = this.#read('output').split('\n').filter(Boolean);
    return lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  }

  readSummary(): string {
    return this.#read('summary');
  }

  #toPath(name: string): string {
    return join(this.#temp, name);
  }

  #read(name: string): string {
    return existsSync(this.#toPath(name)) ? readFileSync(this.#toPath(name), 'utf8') : '';
  }
}
