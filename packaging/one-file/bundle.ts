import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

export interface CommandBundle {
  /** By path in the package. */
  files: Map<string, Uint8Array>;
  /** Directories of the packages that are in it. */
  packages: string[];
}

/** What runs by itself: the command, threads, and the module that clients load first. */
const ENTRIES = [
  'dist/command/main.js',
  'dist/mock/evaluate/thread.js',
  'dist/conformance/explore/threads/thread.js',
];
const PRELOAD = 'dist/mock/virtual-time/preload.js';
/** It starts threads by the paths of its own files. */
const UNBUNDLED = 'node_modules/tinypool';

/** CommonJS packages in it need `require`. */
const REQUIRE =
  "import{createRequire as createRequire_}from'node:module';const require=createRequire_(import.meta.url);";

/** Bundles the command of a built package with its dependencies, which are in `node_modules` there. */
export async function bundleCommand(root: string): Promise<CommandBundle> {
  const options = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minifyWhitespace: true,
    minifySyntax: true,
    // Their paths would depend on where the package lies.
    preserveSymlinks: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
    outdir: 'dist',
    outbase: 'dist',
  } as const satisfies BuildOptions;
  const bundles = await Promise.all([
    build({
      ...options,
      entryPoints: ENTRIES,
      splitting: true,
      chunkNames: 'command/chunk-[hash]',
      banner: { js: REQUIRE },
      external: ['tinypool', 'msw', 'vitest'],
    }),
    build({ ...options, entryPoints: [PRELOAD] }),
  ]);
  const files = new Map<string, Uint8Array>();
  const packages = new Set([UNBUNDLED]);
  for (const { outputFiles, metafile } of bundles) {
    for (const { path, contents } of outputFiles) files.set(path.slice(root.length + 1), contents);
    for (const input of Object.keys(metafile.inputs)) {
      const directory = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
      if (directory !== undefined) packages.add(directory);
    }
  }
  for (const path of ['package.json', ...listCode(root, `${UNBUNDLED}/dist`)])
    files.set(`${UNBUNDLED}/${path}`, readFileSync(join(root, UNBUNDLED, path)));
  return { files, packages: [...packages].sort() };
}

function listCode(root: string, directory: string): string[] {
  const names = readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.js')).map((name) => `dist/${name.replaceAll('\\', '/')}`);
}

/** The licenses of packages ask that their text goes with copies. */
export function collectLicenses(root: string, packages: readonly string[]): string {
  const texts = packages.map((directory) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, directory, 'package.json'), 'utf8'),
    );
    const files = readdirSync(join(root, directory)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    const text = files.sort().map((file) => readFileSync(join(root, directory, file), 'utf8').trim());
    return `${name} ${version} (${license})\n\n${text.join('\n\n')}`.trim();
  });
  const own = join(root, 'LICENSE');
  if (!existsSync(own)) throw new Error(`There is no ${own}.`);
  return `${['taskdouble contains these packages.', ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
