import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

export function readText(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** Paths of files that are missing or whose text differs. */
export function listDriftedFiles(files: ReadonlyMap<string, string>): string[] {
  const isSame = (path: string, text: string) => {
    try {
      return readText(path) === text;
    } catch {
      return false;
    }
  };
  return [...files].flatMap(([path, text]) => (isSame(path, text) ? [] : [path]));
}

/** Only if `module` is the program: writes drifted files or, with `--check`, lists them and exits with 1. */
export async function runGenerator(
  module: string,
  generate: () => Promise<ReadonlyMap<string, string>>,
): Promise<void> {
  if (process.argv[1] !== fileURLToPath(module)) return;
  const isCheck = process.argv.includes('--check');
  const files = await generate();
  for (const path of listDriftedFiles(files)) {
    if (isCheck) {
      console.error(`${path} has drifted from its sources. Run: npm run generate`);
      process.exitCode = 1;
    } else {
      writeFileSync(new URL(path, ROOT), files.get(path)!);
      console.log(`${path} written`);
    }
  }
}
