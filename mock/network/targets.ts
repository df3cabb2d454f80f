import type { Target } from '../../scenarios/format/types.js';
import type { Run } from '../engine/tasks/task.js';
import type { About } from './about.js';

/** True when a request is one of those that `target` means. `run` resolves ids of steps. No target: every request. */
export function matches(target: Target | undefined, about: About, run: Run | undefined): boolean {
  if (!target) return true;
  const { create, poll, cancel, reply, action, operation, method, path, step } = target;
  if (create !== undefined && !isNth('create', create, about)) return false;
  if (poll !== undefined && !isNth('poll', poll, about)) return false;
  if (cancel !== undefined && !isNth('cancel', cancel, about)) return false;
  if (reply !== undefined && !isReply(reply, about, run)) return false;
  if (action !== undefined && !isAction(action, about)) return false;
  if (operation !== undefined && operation !== about.operation) return false;
  if (method !== undefined && method.toUpperCase() !== about.method) return false;
  if (path !== undefined && !fitsPath(path, about.path)) return false;
  // A step is what `same-instant` is about: no request is one.
  return step === undefined;
}

/** The target without what makes it one of a kind: what "the next such request" means. */
export function anySuch(target: Target | undefined): Target | undefined {
  if (!target) return undefined;
  const wide: Target = { ...target };
  if (wide.create !== undefined) wide.create = true;
  if (wide.poll !== undefined) wide.poll = true;
  if (wide.cancel !== undefined) wide.cancel = true;
  if (wide.reply !== undefined) wide.reply = true;
  if (wide.action !== undefined) wide.action = true;
  return wide;
}

/** The target in words, for the journal: `poll 2`, `reply second`, `any request`. */
export function describeTarget(target: Target | undefined): string {
  const parts = Object.entries(target ?? {}).map(([name, value]) =>
    value === true ? name : `${name} ${value}`,
  );
  return parts.length > 0 ? parts.join(' and ') : 'any request';
}

function isNth(kind: string, wanted: true | number, about: About): boolean {
  return about.kind === kind && (wanted === true || wanted === about.ordinal);
}

function isReply(wanted: true | string, about: About, run: Run | undefined): boolean {
  if (about.kind !== 'reply') return false;
  return wanted === true || (run?.ids[wanted] ?? wanted) === about.event;
}

function isAction(wanted: true | string, about: About): boolean {
  if (about.kind !== 'action') return false;
  return wanted === true || wanted === about.step || wanted === about.action;
}

/** `*` stands for anything but a slash. */
function fitsPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((part, index) => fitsSegment(part, given[index]!));
}

/** Goes back to the last star only, so that no pattern takes more than length times length steps. */
function fitsSegment(pattern: string, text: string): boolean {
  let p = 0;
  let star = -1;
  let mark = 0;
  for (let t = 0; t < text.length; ) {
    if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star !== -1) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
