import { defineConfig } from 'vite';

/** One script and one style sheet: the mock and the proxy serve them, a report embeds them. */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/studio',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    rollupOptions: {
      input: 'main.tsx',
      output: { entryFileNames: 'studio.js', assetFileNames: 'studio.[ext]', format: 'iife', name: 'studio' },
    },
  },
});
