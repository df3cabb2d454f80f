import { parseDuration } from '../../scenarios/format/duration.js';
import type { Path, Violation } from '../../scenarios/format/load/source.js';
import { operations } from '../../spec/generated/operations.js';
import { nearest } from '../../spec/nearest.js';
import { TEXTS, TOOL_NAMES } from '../service/test-case/texts.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the schema cannot see: names that nothing has, variables that are not set, names that are there twice. */
export function checkConfig(config: Checked, env: Environment): Violation[] {
  return [
    ...checkKey(config.api_key, ['api_key'], env),
    ...Object.entries(config.key ?? {}).flatMap(([name, key]) => checkKey(key, ['key', name], env)),
    ...(config.lacks ?? []).flatMap((name, index) => checkLack(name, ['lacks', index])),
    ...Object.keys(config.texts ?? {}).flatMap((name) => checkText(name)),
    ...(config.tools ?? []).flatMap(({ name }, index) => checkTool(String(name), index, config.tools!)),
    ...(['timeout', 'poll_interval'] as const).flatMap((name) => checkDuration(config[name], [name])),
  ];
}

interface Checked {
  api_key?: string;
  key?: Readonly<Record<string, string>>;
  lacks?: readonly string[];
  texts?: Readonly<Record<string, string>>;
  tools?: readonly Readonly<Record<string, unknown>>[];
  timeout?: string | number;
  poll_interval?: string | number;
}

function checkKey(key: string | undefined, path: Path, env: Environment): Violation[] {
  if (!key?.startsWith('$')) return [];
  const name = key.slice(1);
  if (!/^\w+$/.test(name)) {
    return [{ path, message: `expected $NAME for an environment variable, found ${JSON.stringify(key)}` }];
  }
  if (env[name]) return [];
  const state = env[name] === undefined ? 'is not set' : 'is empty';
  return [{ path, message: `the environment variable ${name} ${state}: set it to the key` }];
}

function checkLack(name: string, path: Path): Violation[] {
  const tags = new Set(Object.values(operations).map(({ tag }) => tag));
  if (Object.hasOwn(operations, name) || tags.has(name)) return [];
  const meant = nearest(name, [...tags, ...Object.keys(operations)]);
  const advice = meant
    ? `did you mean ${meant}?`
    : `expected an operation id of the API description, or one of its tags: ${[...tags].join(', ')}`;
  return [{ path, message: `there is no operation or tag "${name}"; ${advice}` }];
}

function checkText(name: string): Violation[] {
  if (Object.hasOwn(TEXTS, name)) return [];
  const message = `no task is given a text by the name "${name}"; ${advise(name, Object.keys(TEXTS))}`;
  return [{ path: ['texts', name], at: 'key', message }];
}

/** A tool stands in for one of ours by its name: one of another name would never be registered. */
function checkTool(name: string, index: number, all: readonly { readonly name?: unknown }[]): Violation[] {
  const path = ['tools', index, 'name'];
  if (!TOOL_NAMES.some((known) => known === name)) {
    return [{ path, message: `no tool of ours is called "${name}"; ${advise(name, TOOL_NAMES)}` }];
  }
  const first = all.findIndex((tool) => tool.name === name) === index;
  return first ? [] : [{ path, message: `expected each tool once, found "${name}" again` }];
}

function advise(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant ? `did you mean ${meant}?` : `there are ${known.join(', ')}`;
}

/** `0s` is a duration, but nothing that can be waited for. */
function checkDuration(written: string | number | undefined, path: Path): Violation[] {
  if (written === undefined || (parseDuration(written) ?? 0) > 0) return [];
  return [{ path, message: `${path[0]}: expected more than nothing, found ${JSON.stringify(written)}` }];
}
