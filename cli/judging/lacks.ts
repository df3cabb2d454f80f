import { existsSync } from 'node:fs';
import { parseLack } from '../../conformance/common/lacks.js';
import { CONFIG_FILE, loadLacks } from '../../conformance/config/config.js';
import { UsageError } from '../exit-codes.js';
import { printWarning } from '../print.js';

export interface LacksFlags {
  lacks?: readonly string[] | undefined;
  config?: string;
}

/**
 * The capabilities that the command line, or else the configuration, lists as lacking. Warns about other settings in the configuration.
 * Throws UsageError and InvalidFile.
 */
export function resolveLacks({ lacks, config }: LacksFlags, subcommand: string): string[] {
  const path = config ?? (existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined);
  const file = path === undefined ? undefined : loadLacks(path);
  if (file && file.others.length > 0)
    printWarning(
      `${path}: ${subcommand} reads "lacks" of it alone; not read: ${file.others.join(', ')} (these are options of conform)`,
    );
  return lacks ? readLacks(lacks) : (file?.lacks ?? []);
}

/** Throws UsageError for an unknown name. */
export function readLacks(names: readonly string[]): string[] {
  try {
    return names.map(parseLack);
  } catch (error) {
    throw new UsageError(`--lacks: ${(error as Error).message}`);
  }
}
