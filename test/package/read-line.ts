import type { ChildProcess } from 'node:child_process';

/** The first line that a process prints. Rejects if it ends before. */
export async function readLine({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  stdout!.setEncoding('utf8');
  for await (const chunk of stdout!.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const end = text.indexOf('\n');
    if (end !== -1) return text.slice(0, end);
  }
  throw new Error(`The process ended before it had printed a line: ${text}`);
}
