import { TEXT_ENDS } from '../../../common/interesting-values.js';
import type { ApiRequest } from '../../http-client/response.js';
import { createExtension } from '../../operations/bodies.js';
import type { Command, FormField, Name, Template } from '../../operations/command.js';

/** Ways to change an id slightly. Undefined if the result equals the id. */
const SIMILAR_IDS: Readonly<Record<string, (id: string) => string | undefined>> = {
  // By code points: half of a surrogate pair cannot be sent.
  prefix: (id) => [...id].slice(0, -1).join('') || undefined,
  longer: (id) => `${id}0`,
  cut: (id) => [...id].slice(1).join('') || undefined,
  encoded: (id) => `${id} %`,
  form: (id) => [id.normalize('NFC'), id.normalize('NFD')].find((form) => form !== id),
  case: (id) => {
    const turned = id.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    return turned === id ? undefined : turned;
  },
};
export const SIMILARITIES = Object.keys(SIMILAR_IDS);

/** Prefix of the names of unique texts: `word.title03`, or `word.title_long03` with a kind of text. */
export const MARKER_PREFIX = 'word.';

export const TEXT_KINDS = Object.keys(TEXT_ENDS);

/** The purpose of a text: its marker without kind and number. */
export function readRole(marker: string): string {
  return marker.replace(/(_[a-z]+)?\d+$/, '');
}

/** The same invalid key in every sequence: a mock creates an organisation for each new key. */
export const INVALID_KEY = 'invalid-key';

/** No text of a sequence contains it. */
const BOUNDARY = 'part-of-a-form-7d41c2f0';

/** A request names a value that no response has shown. */
class UnresolvedName extends Error {}

const PLACEHOLDER = /\{\{([\w. -]+)(?:\|(\w+))?\}\}/g;
const WHOLE_PLACEHOLDER = /^\{\{([\w. -]+)(?:\|(\w+))?\}\}$/;

/** The names of the resources of a sequence on one side, the service or its model. */
export class SequenceNames {
  readonly #values = new Map<string, Name>();
  /** The unique texts: long ones are slow to build, and each response is searched for all of them. */
  readonly #texts = new Map<string, string>();
  /** Cached, since each request is resolved when it is drawn, sent and compared. */
  readonly #resolved = new Map<Command, ApiRequest | undefined>();

  /** `markerPrefix`: begins every unique text. */
  constructor(private readonly markerPrefix: string) {}

  set(label: string, names: Readonly<Record<string, Name | undefined>>): void {
    this.#resolved.clear();
    for (const [name, value] of Object.entries(names))
      if (value !== undefined) this.#values.set(`${label}.${name}`, value);
  }

  /** All names, by `LABEL.NAME`. */
  get all(): ReadonlyMap<string, Name> {
    return this.#values;
  }

  get(name: string): Name | undefined {
    return name.startsWith(MARKER_PREFIX) ? this.#getText(name) : this.#values.get(name);
  }

  #getText(name: string): string {
    let text = this.#texts.get(name);
    if (text === undefined) {
      const kind = /_([a-z]+)\d+$/.exec(name)?.[1];
      text = `${this.markerPrefix}-${name.slice(MARKER_PREFIX.length)}${TEXT_ENDS[kind as keyof typeof TEXT_ENDS] ?? ''}`;
      this.#texts.set(name, text);
    }
    return text;
  }

  /** The request with the names of this side; undefined if a name is unknown. */
  resolve(command: Command): ApiRequest | undefined {
    if (this.#resolved.has(command)) return this.#resolved.get(command);
    const request = this.#resolve(command);
    this.#resolved.set(command, request);
    return request;
  }

  #resolve({ path, query, headers, body, form, key, keyIn }: Command): ApiRequest | undefined {
    try {
      return {
        ...(path && { path: this.#fillTexts(path) }),
        ...(query && { query: this.#fill(query) as Record<string, Name> }),
        ...(headers && { headers: this.#fillTexts(headers) }),
        ...(body !== undefined && { body: this.#fill(body) }),
        ...(form && { raw: this.#formatForm(form) }),
        ...(key === 'unknown' ? { key: { value: INVALID_KEY } } : key !== undefined && { key }),
        // A 429 for these keys is permanent, so it is not retried.
        ...((key === 'exhausted' || key === 'free') && { takes: [429] }),
        ...(keyIn && { keyIn }),
      };
    } catch (error) {
      if (error instanceof UnresolvedName) return undefined;
      throw error;
    }
  }

  fillText(template: string): string | undefined {
    try {
      return String(this.#fill(template));
    } catch {
      return undefined;
    }
  }

  #fillTexts(fields: Readonly<Record<string, string>>): Record<string, string> {
    const filled: Record<string, string> = {};
    for (const name of Object.keys(fields)) filled[name] = String(this.#fill(fields[name]!));
    return filled;
  }

  #fill(template: Template): unknown {
    if (typeof template === 'string') {
      if (!template.includes('{{')) return template;
      const whole = WHOLE_PLACEHOLDER.exec(template);
      if (whole) return this.#readValue(whole[1]!, whole[2]);
      return template.replace(PLACEHOLDER, (_, name: string, how?: string) =>
        String(this.#readValue(name, how)),
      );
    }
    if (Array.isArray(template)) return template.map((each) => this.#fill(each));
    if (template === null || typeof template !== 'object') return template;
    return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, this.#fill(each)]));
  }

  #readValue(name: string, how: string | undefined): Name {
    const value = this.get(name);
    if (value === undefined) throw new UnresolvedName();
    if (how === undefined) return value;
    const similar =
      typeof value === 'number' ? value + (how === 'longer' ? 1 : -1) : SIMILAR_IDS[how]?.(String(value));
    // Another resource may have this name.
    if (similar === undefined || [...this.#values.values()].includes(similar)) throw new UnresolvedName();
    return similar;
  }

  /** Formatted here: `FormData` takes as long as the rest of a request together. */
  #formatForm(parts: readonly FormField[]): NonNullable<ApiRequest['raw']> {
    const chunks = parts.flatMap((part) => {
      const fill = (template: string) => String(this.#fill(template));
      const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${part.name}"`;
      if ('text' in part) return [`${head}\r\n\r\n${fill(part.text)}\r\n`];
      const isArchive = part.content === 'zip';
      const file = fill(part.file);
      const type = isArchive ? 'application/zip' : (part.type ?? 'text/plain');
      // Characters that would end the name are percent-encoded, as the HTML standard requires.
      const name = (isArchive ? `${file}.zip` : file).replace(/[\r\n"]/g, encodeURIComponent);
      const content = isArchive ? createExtension(file) : fill(part.content);
      return [`${head}; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`, content, '\r\n'];
    });
    chunks.push(`--${BOUNDARY}--\r\n`);
    const isText = chunks.every((chunk) => typeof chunk === 'string');
    const content = isText ? chunks.join('') : Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
    return { content, type: `multipart/form-data; boundary=${BOUNDARY}` };
  }
}
