import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCoverageLines, formatCoveragePage } from './coverage.js';

/** `npm run coverage:requirements`: prints which rules have checks and mutants, and writes the page that says so. */
const page = join(import.meta.dirname, '../../docs/requirements-coverage.md');
writeFileSync(page, formatCoveragePage());
process.stdout.write(`${formatCoverageLines().join('\n')}\n`);
