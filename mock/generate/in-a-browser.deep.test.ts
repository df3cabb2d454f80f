/** All that is promised of schemas, with the validation that bundles for browsers have in place of the compiled one. */
import { vi } from 'vitest';

vi.mock('./compiled.js', () => import('./interpreted.js'));

await import('./validate.test.js');
await import('./schema-guard.test.js');
await import('./generate.test.js');
