import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type InlineConfig, type Rolldown } from 'vite';

export interface Bundle {
  chunks: Rolldown.OutputChunk[];
  /** Warnings of Vite, without colours. */
  warnings: string[];
}

/**
 * Builds a page by its vite.config.ts, into `outDir` or in memory. `input`: a module instead of index.html. `external`: modules
 * left out, to measure their size.
 */
export async function bundle(
  root: string,
  options: { outDir?: string; input?: string; external?: RegExp[] } = {},
): Promise<Bundle> {
  const warnings: string[] = [];
  const warn = (message: string) => {
    // A warning about slow plugins on a busy machine; the bundle is the same.
    if (!message.includes('PLUGIN_TIMINGS')) warnings.push(stripVTControlCharacters(message));
  };
  const config: InlineConfig = {
    root,
    mode: 'production',
    customLogger: {
      info() {},
      warn,
      warnOnce: warn,
      error: warn,
      clearScreen() {},
      hasErrorLogged: () => false,
      hasWarned: false,
    },
    build: {
      write: options.outDir !== undefined,
      outDir: options.outDir,
      emptyOutDir: false,
      rolldownOptions: {
        external: options.external ?? [],
        ...(options.input === undefined ? {} : { input: join(root, options.input) }),
      },
    },
  };
  // Users build for production.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const { output } = (await build(config).finally(() => {
    process.env.NODE_ENV = NODE_ENV;
  })) as Rolldown.RolldownOutput;
  return { chunks: output.filter((each) => each.type === 'chunk'), warnings };
}

/** Bytes of code, plain and compressed. */
export interface CodeSize {
  minified: number;
  gzip: number;
}

export function weigh(chunks: readonly Rolldown.OutputChunk[]): CodeSize {
  return chunks.reduce(
    (sum, { code }) => ({
      minified: sum.minified + Buffer.byteLength(code),
      gzip: sum.gzip + gzipSync(code).length,
    }),
    { minified: 0, gzip: 0 },
  );
}

/** A chunk with all its static imports. */
export function collectImports(
  chunks: readonly Rolldown.OutputChunk[],
  from: readonly Rolldown.OutputChunk[],
): Set<Rolldown.OutputChunk> {
  const found = new Set<Rolldown.OutputChunk>();
  const visit = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) visit(chunks.find(({ fileName }) => fileName === name));
  };
  for (const chunk of from) visit(chunk);
  return found;
}
