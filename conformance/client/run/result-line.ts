import { isObject } from '../../../spec/json-schema/schema.js';
import { truncateText } from '../../../spec/show.js';
import type { ResultLine } from '../types.js';

type ParsedResultLine = { line: ResultLine; problem: undefined } | { line: undefined; problem: string };

const FIELDS = '{"status": …, "output": …, "results": […], "tool_runs": […]}';

/** The last line of a command's stdout that is not empty. */
export function readLine(stdout: string): ParsedResultLine {
  const expected = `expected the last line to be one JSON object, ${FIELDS}`;
  const last = stdout
    .trimEnd()
    .split(/[\r\n]/)
    .at(-1)!
    .trim();
  if (last === '') return createLineProblem(`stdout is empty: ${expected}`);
  let value: unknown;
  try {
    value = JSON.parse(last.replace(/^\uFEFF/, ''));
  } catch {
    return createLineProblem(`the last line of stdout is no JSON: ${expected}, got ${quote(last)}`);
  }
  return isObject(value)
    ? { line: value, problem: undefined }
    : createLineProblem(`the last line of stdout is JSON, but no object: ${expected}, got ${quote(last)}`);
}

/** The return value of a function as a result line. Values that JSON does not have are left out. */
export function readValue(value: unknown): ParsedResultLine {
  const expected = `expected the function to return an object, ${FIELDS}`;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    return createLineProblem(
      `${expected}, and what it returned cannot be written as JSON: ${formatError(error)}`,
    );
  }
  const read: unknown = text === undefined ? undefined : JSON.parse(text);
  return isObject(read)
    ? { line: read, problem: undefined }
    : createLineProblem(`${expected}, got ${value === undefined ? 'nothing' : quote(text ?? typeof value)}`);
}

/** The message of a thrown value of any type. */
export function formatError(error: unknown): string {
  try {
    if (error instanceof Error) {
      const { cause, name, message } = error;
      const why = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
      return `${name === 'Error' ? '' : `${name}: `}${message}${why}` || name;
    }
    return typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error));
  } catch {
    return 'something that cannot be shown';
  }
}

function createLineProblem(problem: string): ParsedResultLine {
  return { line: undefined, problem };
}

function quote(text: string): string {
  return JSON.stringify(truncateText(text, 120));
}
