import { fileURLToPath } from 'node:url';

// Nothing of the repository's own config, as in a project that has none; what vitest remembers goes where it goes for the rest.
export default { cacheDir: fileURLToPath(new URL('../../../node_modules/.vite', import.meta.url)) };
