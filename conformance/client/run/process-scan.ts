import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** In the environment of every process of a run: finds those that have left the process group. */
export const MARK = 'TASKDOUBLE_RUN';

/**
 * The running processes of a run: the members of its process group and, where the environment of a process can be read
 * (Linux), all that have `MARK=mark` in it.
 */
export function findProcesses(group: number, mark: string): number[] {
  return scanProc(group, mark) ?? askPs(group);
}

/** Undefined where there is no /proc. */
function scanProc(group: number, mark: string): number[] | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  if (names.length === 0) return undefined;
  const belongs = (name: string): boolean => {
    const stat = read(`/proc/${name}/stat`);
    // The program's name is in brackets and may hold anything; after it come state, parent and group.
    const [state, , inGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat === '' || state === 'Z' || state === 'X') return false;
    return Number(inGroup) === group || read(`/proc/${name}/environ`).split('\0').includes(`${MARK}=${mark}`);
  };
  return names.filter(belongs).map(Number);
}

function askPs(group: number): number[] {
  try {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' }).split('\n');
    return lines.flatMap((line) => {
      const [pid, inGroup, state] = line.trim().split(/\s+/);
      return Number(inGroup) === group && !state?.startsWith('Z') ? [Number(pid)] : [];
    });
  } catch {
    return [];
  }
}

/** Empty for a process that has ended in the meantime or belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
