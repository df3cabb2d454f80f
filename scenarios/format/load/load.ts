import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { FOLDERS } from '../library/folders.js';
import { findPackageRoot } from '../library/package-root.js';
import { loadNetworkText, parseNetworkSpec } from '../network/shorthand.js';
import type { NetworkRule, Problem, Scenario } from '../types.js';
import { loadScenarioText } from './load-text.js';
import { createFileProblem, explainReadError, readText } from './read-file.js';
import type { ReferenceReader } from './references.js';

const MOST_FILES = 10_000;
/** Directories that never hold scenarios. */
const SKIPPED = new Set(['node_modules', 'fixtures']);

interface ScenarioFile {
  file: string;
  name: string;
  /** Real path of the directory that references of this file must stay in. */
  root: string;
}

/**
 * Loads the scenarios of files and directories (all `.yaml` and `.yml` files below, and `.json` files with a `timeline`,
 * except in `fixtures/`), sorted by name. Does not throw for invalid or missing files: they are in `problems`.
 */
export async function loadScenarios(
  paths: readonly string[],
  options: { requirements?: ReadonlySet<string> } = {},
): Promise<{ scenarios: Scenario[]; problems: Problem[] }> {
  const requirements = options.requirements ?? (await loadRequirementIds());
  const problems: Problem[] = [];
  const scenarios = new Map<string, Scenario>();
  const names = new Map<string, string>();
  for (const { file, name, root } of paths.flatMap((path) => findScenarioFiles(path, problems))) {
    const text = readText(file, problems);
    const twin = names.get(name);
    if (text === undefined || (twin !== undefined && resolve(twin) === resolve(file))) continue;
    if (twin !== undefined) {
      const message = `expected a name of its own, found "${name}", which ${twin} has already; rename one`;
      problems.push(createFileProblem(file, message));
      continue;
    }
    names.set(name, file);
    const loaded = loadScenarioText(text, {
      file,
      name,
      read: createReferenceReader(root, file),
      requirements,
    });
    problems.push(...loaded.problems);
    if (loaded.scenario) scenarios.set(name, loaded.scenario);
  }
  const sorted = [...scenarios.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { scenarios: sorted, problems };
}

/**
 * The scenarios of the package from its YAML files, each with its path in the package. None if the package has none; throws
 * if one of them is invalid.
 */
export async function readLibrary(): Promise<Scenario[]> {
  const root = findPackageRoot();
  const library = join(root, 'scenarios');
  if (!FOLDERS.some((folder) => existsSync(join(library, folder)))) return [];
  const { scenarios, problems } = await loadScenarios([library]);
  if (problems.length > 0) {
    const lines = problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
    throw new Error(`The package's own scenarios are broken:\n${lines.join('\n')}`);
  }
  return scenarios.map((each) => ({ ...each, file: relative(root, each.file!).split(sep).join('/') }));
}

async function loadRequirementIds(): Promise<Set<string>> {
  const { requirements } = await import('../../../spec/generated/requirements.js');
  return new Set(requirements.map(({ id }) => id));
}

function findScenarioFiles(path: string, problems: Problem[]): ScenarioFile[] {
  const refuse = (message: string): ScenarioFile[] => {
    problems.push(createFileProblem(path, message));
    return [];
  };
  try {
    if (!statSync(path).isDirectory()) return [toScenarioFile(path)];
    const root = realpathSync(path);
    const files = listFiles(path);
    if (files.length === 0)
      return refuse('expected scenarios (.yaml or .json files), found none in this directory');
    if (files.length > MOST_FILES)
      return refuse(`expected at most ${MOST_FILES} scenario files, found more; load a directory below it`);
    return files.map((file) => ({ file, name: stripExtension(relative(path, file)), root }));
  } catch (error) {
    return refuse(explainReadError(error));
  }
}

function listFiles(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name) || files.length > MOST_FILES) continue;
    if (entry.isDirectory()) files.push(...listFiles(path));
    // Links to files are followed, links to directories are not: they may be circular.
    else if (statSync(path).isFile() && isScenario(path)) files.push(path);
  }
  return files;
}

/** The name of a single file includes its folder if that is a folder of the library. */
function toScenarioFile(file: string): ScenarioFile {
  const directory = dirname(realpathSync(file));
  const root = FOLDERS.includes(basename(directory)) ? dirname(directory) : directory;
  return { file, name: stripExtension(relative(root, realpathSync(file))), root };
}

/** Reads files below `root` (a real path) and the fixtures of the package. */
export function createReferenceReader(root: string, scenario: string): ReferenceReader {
  const allowed = [root, resolveRealpath(join(findPackageRoot(), 'fixtures'))];
  return (reference, from) => {
    const wanted = resolve(dirname(resolveRealpath(from)), reference);
    const shown = `"${reference}" (${wanted})`;
    const real = resolveRealpath(wanted);
    if (!allowed.some((directory) => real.startsWith(directory + sep))) {
      const advice = 'move it there, or load the directory above';
      return { refused: `expected a file below ${root}, found ${shown}; ${advice}` };
    }
    if (!isYaml(real) && extname(real) !== '.json')
      return { refused: `expected a .yaml or .json file, found ${shown}` };
    const problems: Problem[] = [];
    const text = readText(real, problems);
    if (text === undefined) return { refused: `${shown}: ${problems[0]!.message}` };
    return { file: real === resolveRealpath(scenario) ? scenario : relative('.', real), text };
  };
}

/** A JSON file may also be the target of a `$ref`, or a schema: only a file with a `timeline` is a scenario. */
function isScenario(file: string): boolean {
  if (isYaml(file)) return true;
  if (extname(file) !== '.json' || file.endsWith('.schema.json')) return false;
  const text = readText(file, []);
  // An unreadable file is reported when it is loaded.
  return text === undefined || /"timeline"\s*:/.test(text);
}

function isYaml(file: string): boolean {
  return ['.yaml', '.yml'].includes(extname(file));
}

function stripExtension(path: string): string {
  return path.slice(0, path.length - extname(path).length).replaceAll(sep, '/');
}

function resolveRealpath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** What `--network` is given: the path of a file, or rules in short; problems of these name `name`. */
export function loadNetwork(
  fileOrSpec: string,
  name?: string,
): { rules: NetworkRule[]; problems: Problem[] } {
  const isFile = statSync(fileOrSpec, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile && !['.yaml', '.yml', '.json'].includes(extname(fileOrSpec.trim())))
    return parseNetworkSpec(fileOrSpec, name);
  const problems: Problem[] = [];
  const text = readText(fileOrSpec, problems);
  return text === undefined ? { rules: [], problems } : loadNetworkText(text, { file: fileOrSpec });
}
