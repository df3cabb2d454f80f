import { defineConfig, type Plugin } from 'vite';
import { requirements } from '../spec/generated/requirements.js';

/** The page shows the words of a requirement, and nothing else of it. */
const words: Plugin = {
  name: 'words-of-requirements',
  load: (file) =>
    file.endsWith('/spec/generated/requirements.ts')
      ? `export const requirements = ${JSON.stringify(requirements.map(({ id, rule }) => ({ id, rule })))}`
      : undefined,
};

/** Builds one script and one style sheet: the mock and the proxy serve them, a report embeds them. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [words],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/studio',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    // Otherwise the style sheet becomes part of the script, which a strict policy forbids.
    cssCodeSplit: false,
    rollupOptions: {
      input: 'main.tsx',
      output: { entryFileNames: 'studio.js', assetFileNames: 'studio.[ext]', format: 'iife', name: 'studio' },
    },
  },
});
