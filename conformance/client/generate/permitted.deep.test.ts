import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { checkClient } from '../../check-client/check-client.js';
import type { ClientFunction } from '../types.js';

const CLIENTS = join(findPackageRoot(), 'fixtures/clients');
const permitted = readdirSync(join(CLIENTS, 'permitted')).filter((file) => file.endsWith('.mjs'));
/** `GENERATED=5000` plays more of them. */
const SEARCH = Number(process.env.GENERATED ?? 40);

describe(`the library and ${SEARCH} generated conversations`, () => {
  it.each(['reference.mjs', ...permitted.map((file) => `permitted/${file}`)])(
    'break no rule with %s',
    async (file) => {
      const { run } = (await import(join(CLIENTS, file))) as { run: ClientFunction };
      const report = await checkClient({
        client: run,
        search: SEARCH,
        seed: 11,
        unknownScenario: false,
      });
      expect(report.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([]);
      expect(report.summary.passed).toBeGreaterThan(300 + 3 * SEARCH);
    },
  );
});
