import variant from '@jitl/quickjs-singlefile-browser-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
  Scope,
} from 'quickjs-emscripten-core';
import { parseUrl } from '../../spec/addresses.js';
import { isTooDeep } from '../../spec/json.js';
import type { Script, ScriptOutcome } from '../engine/tasks/page.js';
import { createRandom } from '../generate/random.js';
import { WINDOW_SOURCE } from './window-source.js';

/** The interpreter checks for interruption after this number of its steps. */
const STEPS_PER_CHECK = 10_000;
/**
 * Most steps of one script: about half a second of computing. Steps are counted, not timed, so that every
 * machine gives the same result.
 */
const MOST_STEPS = 10_000_000;
/**
 * Steps charged for work that the interpreter does not count: a job (the reaction of a promise), a random
 * number, a timer.
 */
const STEPS_PER_JOB = 100;
const STEPS_PER_RANDOM = 200;
const STEPS_PER_TIMER = 1000;
const MOST_MEMORY_BYTES = 64 * 1024 * 1024;
/** Size of a WebAssembly memory page. */
const PAGE_BYTES = 64 * 1024;
const MOST_STACK_BYTES = 256 * 1024;
/** Longest result as JSON, in characters. */
const LONGEST_RESULT = 256 * 1024;
/** Longest array that array methods accept: they loop without counting steps. */
const LONGEST_ARRAY = 1_000_000;

const TOO_LONG = `The script was stopped after ${MOST_STEPS} steps.`;
const OUT_OF_MEMORY = `The script needs more memory than the ${MOST_MEMORY_BYTES / 1024 / 1024} MB that there are.`;

const BROKEN = 'The script was stopped because the interpreter cannot run it.';

/** Functions of the page that the interpreter calls and scripts cannot see. */
const PAGE_FUNCTIONS = ['finish', 'fail', 'runTimer', 'outcome'] as const;
type PageFunctions = Record<(typeof PAGE_FUNCTIONS)[number], QuickJSHandle>;

/** Thrown if a script fails outside the code that the page catches. */
class ScriptStopped extends Error {}

/** An interpreter that runs one script after another, each in a new page. */
export class Interpreter {
  /** A script has broken it: it can no longer be used. */
  isBroken = false;
  #isMemoryFull = false;

  private constructor(private readonly quickjs: QuickJSWASMModule) {
    // The interpreter's own limit does not include all objects; the limit of this memory does.
    const memory = quickjs.getWasmMemory();
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      this.#isMemoryFull = memory.buffer.byteLength + pages * PAGE_BYTES > MOST_MEMORY_BYTES;
      if (this.#isMemoryFull) throw new RangeError(OUT_OF_MEMORY);
      return grow(pages);
    };
  }

  static async load(): Promise<Interpreter> {
    return new Interpreter(await newQuickJSWASMModuleFromVariant(variant));
  }

  /** Never throws. */
  run(script: Script): ScriptOutcome {
    this.#isMemoryFull = false;
    let outcome: ScriptOutcome | undefined;
    try {
      Scope.withScope((scope) => {
        outcome = new ScriptEvaluation(this.quickjs, scope, script).evaluate();
      });
    } catch {
      // If memory or stack runs out at certain moments, also while the script's values are freed, the
      // interpreter becomes unusable. The error is about the interpreter, not about the script.
      this.isBroken = true;
    }
    outcome ??= createFailure(BROKEN);
    return outcome.code === 500 && this.#isMemoryFull ? createFailure(OUT_OF_MEMORY) : outcome;
  }
}

function createFailure(output: string): ScriptOutcome {
  return { code: 500, output };
}

class ScriptEvaluation {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  #steps = 0;

  constructor(
    quickjs: QuickJSWASMModule,
    private readonly scope: Scope,
    private readonly script: Script,
  ) {
    this.#runtime = scope.manage(quickjs.newRuntime());
    this.#runtime.setMaxStackSize(MOST_STACK_BYTES);
    this.#context = scope.manage(this.#runtime.newContext());
  }

  evaluate(): ScriptOutcome {
    const { js } = this.script;
    const page = this.#openPage();
    this.#runtime.setInterruptHandler(() => {
      this.#steps += STEPS_PER_CHECK;
      return this.#isStopped();
    });
    try {
      const form = listForms(js).find((each) => this.#findSyntaxError(each) === undefined);
      if (form === undefined) return { code: 400, output: this.#findSyntaxError(js) };
      const evaluated = this.#context.evalCode(form, 'script');
      const handle = this.scope.manage(evaluated.error ?? evaluated.value);
      this.#call(evaluated.error ? page.fail : page.finish, handle);
      const outcome = this.#readOutcome(page);
      return this.#isStopped() ? createFailure(TOO_LONG) : outcome;
    } catch (error) {
      if (!(error instanceof ScriptStopped)) throw error;
      return createFailure(this.#isStopped() ? TOO_LONG : error.message);
    }
  }

  /** The page's functions that the script cannot see. */
  #openPage(): PageFunctions {
    const { page, args = null, now: start } = this.script;
    const random = createRandom('');
    random.restore(this.script.random);
    const { scope } = this;
    const context = this.#context;
    const input = { page, location: readLocation(page.url), args, start, longestArray: LONGEST_ARRAY };
    const open = this.#unwrap(context.evalCode(WINDOW_SOURCE, 'window'));
    const text = scope.manage(context.newString(JSON.stringify(input)));
    const next = scope.manage(
      context.newFunction('random', () => {
        this.#steps += STEPS_PER_RANDOM;
        return context.newNumber(random.next());
      }),
    );
    const opened = this.#call(open, text, next);
    const parts = PAGE_FUNCTIONS.map((name) => [name, scope.manage(context.getProp(opened, name))]);
    return Object.fromEntries(parts) as PageFunctions;
  }

  #readOutcome(page: PageFunctions): ScriptOutcome {
    for (;;) {
      this.#runJobs();
      const text: unknown = this.#context.dump(this.#call(page.outcome));
      if (typeof text === 'string') return readResult(text);
      this.#steps += STEPS_PER_TIMER;
      if (this.#context.dump(this.#call(page.runTimer)) !== true)
        return createFailure(
          'The promise of the script is never settled: nothing is left that could settle it.',
        );
    }
  }

  #runJobs(): void {
    while (this.#runtime.hasPendingJob()) {
      this.#steps += STEPS_PER_JOB;
      if (this.#isStopped()) throw new ScriptStopped(TOO_LONG);
      const { error } = this.#runtime.executePendingJobs(1);
      if (error) this.#unwrap({ error });
    }
  }

  #call(fn: QuickJSHandle, ...args: QuickJSHandle[]): QuickJSHandle {
    return this.#unwrap(this.#context.callFunction(fn, this.#context.undefined, ...args));
  }

  /**
   * Throws ScriptStopped for errors that the page does not catch: the limits, and errors thrown by timers.
   */
  #unwrap({ error, value }: { error?: QuickJSHandle | undefined; value?: QuickJSHandle }): QuickJSHandle {
    const handle = this.scope.manage((error ?? value)!);
    if (error) throw new ScriptStopped(this.#formatMessage(handle));
    return handle;
  }

  #isStopped(): boolean {
    return this.#steps > MOST_STEPS;
  }

  #findSyntaxError(code: string): string | undefined {
    const compiled = this.#context.evalCode(code, 'script', { compileOnly: true });
    this.scope.manage(compiled.error ?? compiled.value);
    return compiled.error && this.#formatMessage(compiled.error);
  }

  #formatMessage(handle: QuickJSHandle): string {
    const error: unknown = this.#context.dump(handle);
    if (error === null || typeof error !== 'object') return `Uncaught ${String(error)}`;
    const { name, message } = error as { name?: unknown; message?: unknown };
    return `${name}: ${message}`;
  }
}

/**
 * Source forms to try in order; the first without a syntax error is used: an expression (a function is then
 * called with args), a script whose last value is the result, an expression with await, the body of an async
 * function with return.
 */
function listForms(js: string): string[] {
  return [`(\n${js}\n)`, js, `(async () => (\n${js}\n))`, `(async function () {\n${js}\n})`];
}

function readResult(text: string): ScriptOutcome {
  if (text.length > LONGEST_RESULT)
    return createFailure(
      `The result has ${text.length} characters as JSON; at most ${LONGEST_RESULT} are allowed.`,
    );
  const { error, value } = JSON.parse(text) as { error?: string; value?: unknown };
  if (isTooDeep(value)) return createFailure('The result is nested too deep.');
  return error === undefined ? { code: 200, output: value } : createFailure(error);
}

function readLocation(address: string) {
  const url = parseUrl(address) ?? new URL('about:blank');
  const { href, origin, protocol, host, hostname, port, pathname, search, hash } = url;
  return { href, origin, protocol, host, hostname, port, pathname, search, hash };
}
