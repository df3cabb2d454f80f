import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';

export const VERSION: string = JSON.parse(
  readFileSync(join(findPackageRoot(), 'package.json'), 'utf8'),
).version;
