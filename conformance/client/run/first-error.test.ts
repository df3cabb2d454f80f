import { expect, it } from 'vitest';
import { findError } from './first-error.js';

it.each([
  [
    "node:internal/modules/esm/resolve:274\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find module '/a/b.mjs' imported from /a/c.mjs\n    at finalizeResolution (node:internal:1:1) {\n  code: 'ERR_MODULE_NOT_FOUND'\n}\n\nNode.js v20.20.2\n",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/a/b.mjs' imported from /a/c.mjs",
  ],
  [
    'file:///a/c.mjs:3\nconst x = ;\n          ^\n\nSyntaxError: Unexpected token\n\nNode.js v20.20.2',
    'SyntaxError: Unexpected token (file:///a/c.mjs:3)',
  ],
  [
    'Traceback (most recent call last):\n  File "c.py", line 1\nKeyError: 1\nTraceback (most recent call last):\nModuleNotFoundError: No module named \'x\'\n',
    "ModuleNotFoundError: No module named 'x'",
  ],
  ['sh: 1: curl: not found\n', 'sh: 1: curl: not found'],
  ['', undefined],
])('%j', (stderr, error) => {
  expect(findError(stderr)).toBe(error);
});
