import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { packFiles } from './archive.js';
import { bundleCommand, collectLicenses } from './bundle.js';

/** Of dist/, what is no library and not bundled: files that are served or started as they are. */
const KEPT_BUILT = /^dist\/(?:docs\/|studio\/|command\/thread-setup\.cjs$)/;
/** Starts the command for the launcher, which cannot import it. */
const START = ['dist/command/start.cjs', "import('./main.js');\n"] as const;

/** Builds `taskdouble.mjs` from an unpacked tarball in `root` with `node_modules` beside its files: the same package gives the same bytes. */
export async function buildOneFile(root: string): Promise<{ code: string; licenses: string }> {
  const bundle = await bundleCommand(root);
  const licenses = collectLicenses(root, bundle.packages);
  const files = new Map([...readPackage(root), ...bundle.files]);
  const add = (path: string, text: string) => files.set(path, Buffer.from(text));
  add(...START);
  add('THIRD-PARTY-LICENSES.txt', licenses);
  const archive = packFiles(files);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const hash = createHash('sha256').update(archive).digest('hex');
  const code = [...files].filter(([path]) => path.startsWith('dist/command/'));
  const launcher = await bundleLauncher({
    ARCHIVE: compress(archive).toString('base64'),
    ARCHIVE_NAME: `${version}-${hash.slice(0, 16)}`,
    CODE_FILES: code.length,
    CODE_BYTES: code.reduce((total, [, { length }]) => total + length, 0),
  });
  return { code: launcher, licenses };
}

/** What the package has besides its library. */
function readPackage(root: string): Map<string, Uint8Array> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) =>
    relative(root, join(parentPath, name)).split(sep).join('/'),
  );
  const kept = paths.filter((path) => KEPT_BUILT.test(path) || !/^(?:dist|node_modules)\//.test(path));
  return new Map(kept.map((path) => [path, readFileSync(join(root, path))]));
}

function compress(archive: Buffer): Buffer {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = {
    [BROTLI_PARAM_QUALITY]: 9,
    [BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [BROTLI_PARAM_SIZE_HINT]: archive.length,
  };
  return brotliCompressSync(archive, { params });
}

async function bundleLauncher(values: Readonly<Record<string, string | number>>): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'launcher.ts')],
    bundle: true,
    platform: 'node',
    target: 'node16',
    format: 'esm',
    minify: true,
    banner: { js: '#!/usr/bin/env node' },
    define: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])),
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]!.text;
}
