import { spawnSync } from 'node:child_process';

/** A machine may have several; that of the system has the packages of the system. */
const INTERPRETERS = ['python3', '/usr/bin/python3'];
const MODULES = ['pytest', 'requests', 'httpx'];

/** With CI_PYTHON=1, tests that need Python are never skipped. */
export const isPythonRequired = process.env.CI_PYTHON === '1';

/** Why tests that need Python are skipped. */
export const NO_PYTHON = `no python3 with ${isPythonRequired ? MODULES.join(', ') : 'pytest'} is found`;

/** An interpreter with all modules of the tests if there is one, else one with pytest. */
export function findPython(): string | undefined {
  for (const modules of isPythonRequired ? [MODULES] : [MODULES, ['pytest']]) {
    const found = INTERPRETERS.find((each) => hasModules(each, modules));
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasModules(interpreter: string, modules: readonly string[]): boolean {
  return spawnSync(interpreter, ['-c', `import ${modules.join(', ')}`]).status === 0;
}
