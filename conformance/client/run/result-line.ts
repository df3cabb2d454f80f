import type { ResultLine } from '../types.js';

/** What a client said it did, or why nothing can be made of it, in words. */
export type ReadLine = { line: ResultLine; problem: undefined } | { line: undefined; problem: string };

const EXPECTED =
  'expected the last line to be one JSON object, {"status": …, "output": …, "results": […], "tool_runs": […]}';

/** The last line of a command's stdout that is not empty. `cut`: what stood before is not there any more. */
export function readLine(stdout: string, cut = false): ReadLine {
  const lines = stdout.trimEnd().split(/\r\n|\n|\r/);
  const last = lines.at(-1)!.trim();
  if (last === '') return none(`stdout is empty: ${EXPECTED}`);
  if (cut && lines.length === 1) {
    return none(`the last line of stdout has more than ${stdout.length} characters: ${EXPECTED}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(last.replace(/^\uFEFF/, ''));
  } catch {
    return none(`the last line of stdout is no JSON: ${EXPECTED}, got ${quoted(last)}`);
  }
  return isObject(value)
    ? { line: value, problem: undefined }
    : none(`the last line of stdout is JSON, but no object: ${EXPECTED}, got ${quoted(last)}`);
}

/** What a function gave. It must say the same as a line could: what JSON cannot carry is left out. */
export function readValue(value: unknown): ReadLine {
  if (value === undefined)
    return none(
      'the function gave nothing: expected it to give what it did, { status, output, results, tool_runs }',
    );
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    return none(`what the function gave cannot be written as JSON: ${messageOf(error)}`);
  }
  const read: unknown = text === undefined ? undefined : JSON.parse(text);
  return isObject(read)
    ? { line: read, problem: undefined }
    : none(
        `expected the function to give an object, { status, output, results, tool_runs }, got ${quoted(text ?? typeof value)}`,
      );
}

/** What was thrown, in words. Anything can be thrown. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) {
      const { cause } = error;
      const why = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
      return `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}${why}` || error.name;
    }
    return typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error));
  } catch {
    return 'something that cannot be shown';
  }
}

function none(problem: string): ReadLine {
  return { line: undefined, problem };
}

function isObject(value: unknown): value is ResultLine {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 117)}...` : text);
}
