import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Named in the environment of every process of a run, so that those are found that left the group. */
export const MARK = 'TASKDOUBLE_RUN';

/** How the processes of a run are told from others. */
export interface Signs {
  group: number;
  mark: string;
  /** Of `outputsOf`. */
  outputs: readonly string[];
}

/** The pipes or sockets that a process has as its stdout and stderr, as /proc names them (Linux; none elsewhere). */
export function outputsOf(pid: number): string[] {
  return [1, 2].flatMap((fd) => {
    try {
      const name = readlinkSync(`/proc/${pid}/fd/${fd}`);
      // Files and devices are open in processes that have nothing to do with the run.
      return /^(pipe|socket):/.test(name) ? [name] : [];
    } catch {
      return [];
    }
  });
}

/**
 * The processes that are alive and belong to a run: members of the process group; and where the system lets us read it
 * (Linux), all whose environment says `MARK=mark`, and all that hold one of the outputs as their own, as daemons may.
 */
export function processesOf(signs: Signs): number[] {
  const listed = fromProc(signs) ?? fromPs(signs.group);
  return listed.filter((pid) => pid !== process.pid);
}

/** Undefined where there is no /proc. */
function fromProc({ group, mark, outputs }: Signs): number[] | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return undefined;
  }
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  if (pids.length === 0) return undefined;
  const wanted = `${MARK}=${mark}`;
  return pids.filter((pid) => {
    const stat = read(`/proc/${pid}/stat`);
    if (stat === undefined) return false;
    // The name stands in brackets and may hold anything; behind it: state, parent, group.
    const [state, , inGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return false;
    if (Number(inGroup) === group) return true;
    if (read(`/proc/${pid}/environ`)?.split('\0').includes(wanted)) return true;
    return outputsOf(pid).some((output) => outputs.includes(output));
  });
}

function fromPs(group: number): number[] {
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

/** Undefined for a process that has gone meanwhile or is another user's. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
