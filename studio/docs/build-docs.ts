import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { renderDocument } from './render-page.js';
import { renderReference } from './render-reference.js';

// Builds what the mock and the proxy serve as documentation: the API reference, and the module that renders the pages of `docs/`.

const ROOT = join(import.meta.dirname, '../..');
const TARGET = join(ROOT, 'dist/docs');

rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
const { title, html } = renderReference();
writeFileSync(join(TARGET, 'api-reference.html'), renderDocument(title, 'reference', html));

// The colors of studio.
const [colors = ''] = /:root \{.*?\n\}\n/s.exec(readFileSync(join(ROOT, 'studio/style.css'), 'utf8')) ?? [];
writeFileSync(join(TARGET, 'docs.css'), colors + readFileSync(join(import.meta.dirname, 'docs.css'), 'utf8'));
const license = readFileSync(join(ROOT, 'node_modules/marked/LICENSE.md'), 'utf8');
const bundle = { bundle: true, minify: true, target: 'es2022' } as const;
for (const [source, name, format] of [
  ['reference.ts', 'reference.js', 'iife'],
  ['render-page.ts', 'render-page.js', 'esm'],
] as const)
  buildSync({
    ...bundle,
    format,
    entryPoints: [join(import.meta.dirname, source)],
    outfile: join(TARGET, name),
    ...(format === 'esm' && { banner: { js: `/*! This file contains marked.\n\n${license}*/` } }),
  });
