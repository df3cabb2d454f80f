import { operations } from '../../../../spec/generated/operations.js';
import { readJson } from '../../../../spec/json.js';
import { API_PREFIX, type Exchange } from '../../../../spec/vocabulary.js';
import type { Command, Template } from '../../operations/command.js';
import type { FoundSequence } from '../found-sequence.js';
import { INVALID_KEY } from '../sequence/names.js';
import { isWait, listCommands } from '../sequence/sequence.js';

/** Environment variables with the keys: a script never contains a key. */
const KEYS = {
  main: 'TASKDOUBLE_API_KEY',
  other: 'TASKDOUBLE_OTHER_KEY',
  free: 'TASKDOUBLE_FREE_KEY',
  exhausted: 'TASKDOUBLE_EXHAUSTED_KEY',
} as const;

const HEAD = `
set -u
TASKDOUBLE_BASE_URL=\${TASKDOUBLE_BASE_URL:-@BASE@}
RUN=td-$(date +%s)
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
# An archive without members.
printf 'PK\\005\\006\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000' > "$DIR/empty.zip"
# Prints what stands at a place in a JSON body: field FILE .r.id
field() { node -pe "JSON.parse(require('fs').readFileSync('$1', 'utf8'))$2"; }
# Encodes a value for a path or a query.
encode() { node -pe 'encodeURIComponent(process.argv[1])' "$1"; }
`;

/** Writes a shell script that sends the sequence with curl. */
export function writeScript(found: FoundSequence, baseUrl: string): string {
  const { sequence, run, finding } = found;
  const used = new Set([...JSON.stringify(sequence).matchAll(PLACEHOLDER)].map(([, name]) => name!));
  const writer = new ScriptWriter(run.exchanges, new Map([...run.names].filter(([name]) => used.has(name))));
  const lines = sequence.flatMap((step) => {
    if (isWait(step)) return [`sleep ${step.wait_ms / 1000}`];
    const commands = listCommands(step);
    const parts = commands.map((command) => writer.write(command));
    if (commands.length === 1) return parts[0]!;
    return [...parts.map(([request]) => `${request} &`), 'wait', ...parts.flatMap(([, ...rest]) => rest)];
  });
  const keys = [...new Set(sequence.flatMap(listCommands).map(({ key }) => key ?? 'main'))];
  const needed = keys.flatMap((key) =>
    key === 'unknown' ? [] : [`: "\${${KEYS[key]}:?set it to the key}"`],
  );
  const comment = [finding.requirement, finding.message].map((line) => `# ${line.replace(/\s+/g, ' ')}`);
  return `${['#!/usr/bin/env bash', ...comment].join('\n')}${HEAD.replace('@BASE@', baseUrl)}${needed.join('\n')}\n\n${lines.join('\n')}\n`;
}

/** Writes requests in order. Ids in later requests come from the responses to earlier ones. */
class ScriptWriter {
  #count = 0;

  constructor(
    private readonly exchanges: readonly Exchange[],
    private readonly names: ReadonlyMap<string, string | number | boolean>,
  ) {}

  /** The lines of one request: curl, then what reads its response. */
  write(command: Command): string[] {
    const number = ++this.#count;
    const file = `$DIR/${number}.json`;
    const { method, path: template } = operations[command.operation];
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeValue(command.path?.[name] ?? ''));
    const query = Object.entries(command.query ?? {}).map(([name, value]) => `${name}=${encodeValue(value)}`);
    const address = `"$TASKDOUBLE_BASE_URL${API_PREFIX}${path}${query.length > 0 ? `?${query.join('&')}` : ''}"`;
    const options = [
      ...createKeyOptions(command),
      ...Object.entries(command.headers ?? {}).map(
        ([name, value]) => `-H "${name}: ${quoteForShell(value)}"`,
      ),
      ...createBodyOptions(command),
    ];
    const line = `curl -sS -X ${method} ${address} ${options.join(' ')} -o "${file}" -w '${method} ${template}: %{http_code}\\n'`;
    return [line, `cat "${file}"; echo`, ...this.#extract(command, number)];
  }

  /** Assigns shell variables from the response. */
  #extract({ as, on, operation }: Command, number: number): string[] {
    const label = as ?? (operation === 'getTask' ? on : undefined);
    if (label === undefined) return [];
    const own = [...this.names].filter(([name]) => name.startsWith(`${label}.`));
    const bodies = this.exchanges.filter((each) => each.operation === operation && each.response);
    return own.flatMap(([name, value]) => {
      for (const { response } of bodies) {
        const place = findPath(readJson(response!.body), value);
        if (place !== undefined) return [`${formatVariable(name)}=$(field "$DIR/${number}.json" '${place}')`];
      }
      return as === undefined ? [] : [`${formatVariable(name)}=${quote(String(value))}`];
    });
  }
}

function createKeyOptions({ key = 'main', keyIn }: Command): string[] {
  if (key === null) return [];
  const value = key === 'unknown' ? INVALID_KEY : `$${KEYS[key]}`;
  return [keyIn === 'cookie' ? `-b "apikey=${value}"` : `-H "apikey: ${value}"`];
}

function createBodyOptions({ body, form, headers }: Command): string[] {
  if (form)
    return form.map((part) => {
      if ('text' in part) return `-F "${part.name}=${quoteForShell(part.text)}"`;
      const name = `filename=${quoteForShell(part.file)}`;
      if (part.content === 'zip') return `-F "${part.name}=@$DIR/empty.zip;${name}.zip;type=application/zip"`;
      return `-F "${part.name}=${quoteForShell(part.content)};${name};type=${part.type ?? 'text/plain'}"`;
    });
  if (body === undefined) return [];
  const type = headers?.['content-type'] === undefined ? ['-H "content-type: application/json"'] : [];
  return [...type, `-d "${quoteForShell(JSON.stringify(body))}"`];
}

const PLACEHOLDER = /\{\{([\w. -]+)(?:\|(\w+))?\}\}/g;

/** The text for double quotes in a shell, with variables in place of placeholders. */
function quoteForShell(text: string): string {
  let done = '';
  let last = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    done += escapeInShell(text.slice(last, match.index)) + formatShellValue(match[1]!, match[2]);
    last = match.index + match[0].length;
  }
  return done + escapeInShell(text.slice(last));
}

function formatShellValue(name: string, how?: string): string {
  if (name === 'now.ms') return '$(date +%s000)';
  if (name.startsWith('word.')) return `$RUN-${name.slice(5)}`;
  const own = formatVariable(name);
  if (how === undefined) return `\${${own}}`;
  if (how === 'prefix') return `\${${own}%?}`;
  if (how === 'cut') return `\${${own}#?}`;
  if (how === 'case') return `$(printf %s "$${own}" | tr 'a-zA-Z' 'A-Za-z')`;
  return how === 'encoded' ? `\${${own}} é` : `\${${own}}0`;
}

function encodeValue(value: Template): string {
  return `$(encode "${quoteForShell(String(value))}")`;
}

function formatVariable(name: string): string {
  return name.replace(/\W/g, '_');
}

function escapeInShell(text: string): string {
  return text.replace(/[\\"$`]/g, '\\$&');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The path of a value in a body: `.r.id`. */
function findPath(body: unknown, value: unknown): string | undefined {
  if (body === value || (String(body) === String(value) && typeof body !== 'object')) return '';
  if (body === null || typeof body !== 'object') return undefined;
  for (const [name, part] of Object.entries(body)) {
    const place = findPath(part, value);
    if (place !== undefined)
      return `${Array.isArray(body) ? `[${name}]` : `[${JSON.stringify(name)}]`}${place}`;
  }
  return undefined;
}
