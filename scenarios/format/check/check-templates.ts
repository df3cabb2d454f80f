import { nearest } from '../../../spec/nearest.js';
import type { Path, Violation } from '../load/source.js';
import type { RawStep, Steps } from '../load/steps.js';

const PLACE = /\{\{\s*([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)[\w.-]*\s*\}\}/g;
const FIELDS = { call: ['code', 'output'], action: ['name', 'input'] } as const;

/** Places like `{{first.output.temp_c}}` in what the service sends must lead to a call's reply or to an action. */
export function checkTemplates(step: RawStep, path: Path, known: Steps): Violation[] {
  if (step.service === undefined) return [];
  return ['input', 'output', 'payload'].flatMap((key) => walk(step[key], [...path, key], known));
}

function walk(value: unknown, path: Path, known: Steps): Violation[] {
  if (typeof value === 'string') {
    return [...value.matchAll(PLACE)].flatMap(([place, id, field]) => check(place, id!, field!, path, known));
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => walk(item, [...path, key], known));
}

function check(place: string, id: string, field: string, path: Path, known: Steps): Violation[] {
  const calls = known.ids('call');
  const actions = known.ids('action');
  const fields: readonly string[] | undefined = calls.includes(id)
    ? FIELDS.call
    : actions.includes(id)
      ? FIELDS.action
      : undefined;
  if (!fields) {
    const meant = nearest(id, [...calls, ...actions]);
    const advice = meant === undefined ? 'give that step this `id`' : `did you mean ${meant}?`;
    return [
      {
        path,
        message: `${place}: expected the id of a tool_call or an action before the dot, found "${id}"; ${advice}`,
      },
    ];
  }
  if (fields.includes(field)) return [];
  return [{ path, message: `${place}: expected ${fields.join(' or ')} after "${id}.", found "${field}"` }];
}
