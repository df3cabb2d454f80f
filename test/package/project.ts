import {
  execFileSync,
  type SpawnOptions,
  type SpawnSyncOptionsWithStringEncoding,
  spawnSync,
} from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createEnvironment } from './environment.js';
import { createTemporary, ROOT } from './pack.js';

export interface ProjectRun {
  code: number | null;
  /** stdout and stderr. */
  output: string;
}

/** What a project is made of. */
export interface ProjectOptions {
  /** Path of the tarball of the package. */
  tarball: string;
  /** The `type` of its package.json. */
  type: 'module' | 'commonjs';
  /** Packages that it installs beside: in the versions that this repository has, or `NAME@VERSION`, which only npm brings. */
  beside?: readonly string[];
}

/** A project of somebody else, in a directory of its own, that has installed the package. */
export class Project {
  readonly directory: string;
  /** How it came to be: by npm, or, where the registry cannot be reached, by links to what is installed here. */
  readonly installed: 'npm' | 'links';
  readonly clear: () => void;

  constructor({ tarball, type, beside = [] }: ProjectOptions) {
    const { directory, clear } = createTemporary();
    this.directory = directory;
    this.clear = clear;
    this.write('package.json', JSON.stringify({ name: 'somebody', private: true, type }));
    this.installed = this.#install(tarball, beside);
  }

  /** Writes a file; returns its path. */
  write(name: string, text: string): string {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Runs a command in the project until it ends. */
  run(command: string, ...args: string[]): ProjectRun {
    // A group of its own, so that what npx has started ends with npx where it takes too long. spawnSync knows
    // `detached` as spawn does; its types do not.
    const options: SpawnSyncOptionsWithStringEncoding & SpawnOptions = {
      cwd: this.directory,
      encoding: 'utf8',
      env: createEnvironment(),
      timeout: 150_000,
      killSignal: 'SIGKILL',
      detached: true,
    };
    const { pid, status, stdout, stderr, error } = spawnSync(command, args, options);
    if (error && 'code' in error && error.code === 'ETIMEDOUT') killGroup(pid);
    if (error) throw error;
    return { code: status, output: stdout + stderr };
  }

  #install(tarball: string, beside: readonly string[]): 'npm' | 'links' {
    const names = [
      tarball,
      ...beside.map((name) => (hasVersion(name) ? name : `${name}@${readVersion(name)}`)),
    ];
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error'];
    // Peers only where they are asked for: they are optional, and npm 7 and later would not bring them either.
    const { code, output } = this.run('npm', 'install', ...quiet, ...names);
    if (code === 0) return 'npm';
    if (!/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ENOTCACHED/.test(output))
      throw new Error(output);
    this.#link(tarball, beside);
    return 'links';
  }

  #link(tarball: string, beside: readonly string[]): void {
    const modules = join(this.directory, 'node_modules');
    const itself = join(modules, 'taskdouble');
    rmSync(modules, { recursive: true, force: true });
    mkdirSync(itself, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', itself, '--strip-components=1']);
    const { dependencies, bin } = JSON.parse(readFileSync(join(itself, 'package.json'), 'utf8'));
    for (const name of [...Object.keys(dependencies), ...beside.filter((each) => !hasVersion(each))]) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    mkdirSync(join(modules, '.bin'));
    execFileSync('chmod', ['+x', join(itself, bin.taskdouble)]);
    symlinkSync(join(itself, bin.taskdouble), join(modules, '.bin/taskdouble'));
    for (const name of beside.filter((each) => ['typescript', 'vitest'].includes(each))) {
      const command = name === 'typescript' ? 'tsc' : name;
      symlinkSync(join(ROOT, 'node_modules/.bin', command), join(modules, '.bin', command));
    }
  }
}

/** Ends all that is left of a process group. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}

function hasVersion(name: string): boolean {
  return name.lastIndexOf('@') > 0;
}

function readVersion(name: string): string {
  return JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version;
}
