import { defineConfig } from 'vite';

/** Builds one script and one style sheet: the mock and the proxy serve them, a report embeds them. */
export default defineConfig({
  root: import.meta.dirname,
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
