import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ModuleInfo, type OutputOptions, rolldown } from 'rolldown';

const DIST = join(import.meta.dirname, '../dist');
const OUT = join(DIST, 'command');
const MAIN = join(DIST, 'cli/main.js');
/** What `mock` loads before its first response, some of it by dynamic imports. */
const MOCK = ['cli/mock.js', 'cli/mock/run.js', 'mock/serve/http.js'].map((path) => join(DIST, path));
/** Stack traces keep the names. */
const MINIFY = { compress: true, mangle: false, codegen: true } as const;

interface Modules {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Modules that are loaded together with `ids`. */
function collectImports(ids: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(modules.getModuleInfo(id)?.importedIds ?? []).filter((each) => each.startsWith(DIST)));
  }
  return found;
}

/** One file for what each command loads, one for what `mock` loads: about 70 files would take 20 ms more. */
function createChunkNames(): (id: string, modules: Modules) => string | null {
  let needs: { main: ReadonlySet<string>; mock: ReadonlySet<string> } | undefined;
  return (id, modules) => {
    needs ??= {
      main: collectImports([MAIN], modules),
      mock: collectImports(MOCK, modules),
    };
    // A file that imports itself while it runs would wait for itself.
    if (id === MAIN) return null;
    if (needs.main.has(id)) return 'main-needs';
    return needs.mock.has(id) ? 'mock-needs' : null;
  };
}

async function bundle(input: string, output: OutputOptions): Promise<void> {
  const build = await rolldown({ input, platform: 'node', external: /^[^./]/, logLevel: 'silent' });
  await build.write({ minify: MINIFY, ...output });
  await build.close();
}

rmSync(OUT, { recursive: true, force: true });
await bundle(MAIN, {
  dir: OUT,
  codeSplitting: { groups: [{ name: createChunkNames(), debugName: 'what starts together' }] },
});
await bundle(join(DIST, 'conformance/client/run/threads/thread-setup.js'), {
  file: join(OUT, 'thread-setup.cjs'),
  format: 'cjs',
});
