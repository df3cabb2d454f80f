import { fullFormats } from 'ajv-formats/dist/formats.js';
import { RE2JS } from 're2js';

type Check = (text: string) => boolean;

/** These need look-ahead, which the linear engine lacks, and cannot backtrack far: no repetition inside a repetition. */
const HARMLESS = new Set(['duration', 'hostname']);

/**
 * The formats of JSON Schema, none of which backtracks without bound: what the formats package gives as an expression
 * runs in the linear-time engine, compiled at its first use. Formats that are functions pass unchanged.
 */
export const LINEAR_FORMATS: Record<string, unknown> = Object.fromEntries(
  Object.entries(fullFormats).map(([name, format]) => {
    if (name === 'url') return [name, url];
    return [name, format instanceof RegExp && !HARMLESS.has(name) ? linear(format) : format];
  }),
);

function linear(expression: RegExp): Check {
  let compiled: RE2JS | undefined;
  return (text) => {
    const flags = expression.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
    compiled ??= RE2JS.compile(RE2JS.translateRegExp(expression.source), flags);
    return compiled.test(text);
  };
}

function url(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** Whether texts can be held against a format of that name. */
export function isFormat(name: string): boolean {
  return Object.hasOwn(LINEAR_FORMATS, name);
}

/** Whether a value is of a format. True for formats that are not known here or say nothing about values of its type. */
export function isOfFormat(value: string | number, name: string): boolean {
  if (!isFormat(name)) return true;
  const format = LINEAR_FORMATS[name] as { type?: string; validate?: unknown };
  if (typeof value !== (format.type ?? 'string')) return true;
  const check = format.validate ?? format;
  if (check instanceof RegExp) return check.test(value as string);
  return typeof check !== 'function' || check(value) === true;
}
