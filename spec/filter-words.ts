/** Words with a field: `status:5xx`. Any other word is searched in what a list shows. */
export const FILTER_FIELDS = ['status', 'kind', 'rule', 'body', 'key', 'scenario', 'url', 'id'] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** `status:5xx`, `-kind:poll`, `body:"two words"`, `tea`. */
export interface FilterWord {
  field: FilterField | undefined;
  /** In lower case. */
  value: string;
  /** What matches it is not shown. */
  isExcluded: boolean;
}

const WORD = new RegExp(`(-?)(?:(${FILTER_FIELDS.join('|')}):)?(?:"([^"]*)"?|(\\S+))`, 'gi');

/** Reads the words of a filter. All of them have to match. */
export function parseFilter(text: string): FilterWord[] {
  return [...text.matchAll(WORD)].flatMap(([, minus, field, quoted, plain]): FilterWord[] => {
    const value = (quoted ?? plain ?? '').toLowerCase();
    // While the value is being typed.
    if (value === '') return [];
    return [{ field: field?.toLowerCase() as FilterField | undefined, value, isExcluded: minus === '-' }];
  });
}

/** The inverse of `parseFilter`. */
export function formatFilter(words: readonly FilterWord[]): string {
  return words
    .map(({ field, value, isExcluded }) => `${isExcluded ? '-' : ''}${field ? `${field}:` : ''}"${value}"`)
    .join(' ');
}

/** What the fields of an item contain. Called only for the fields that a filter uses; `undefined`: the shown text. */
export type ReadFilterField = (field: FilterField | undefined) => readonly (string | number | undefined)[];

/** True if each word matches one of the texts of its field. `5xx` matches each status from 500 to 599. */
export function matchesFilter(words: readonly FilterWord[], read: ReadFilterField): boolean {
  return words.every(({ field, value, isExcluded }) => {
    const found = read(field).some((each) => each !== undefined && matchesValue(String(each), field, value));
    return found !== isExcluded;
  });
}

/** True if for each word one of the items matches, or for an excluded word none. */
export function matchesSome(words: readonly FilterWord[], items: readonly ReadFilterField[]): boolean {
  return words.every(({ isExcluded, ...word }) => {
    const wanted = [{ ...word, isExcluded: false }];
    return items.some((read) => matchesFilter(wanted, read)) !== isExcluded;
  });
}

/** `status:5xx`, `kind:reply`, `body:temp_c`, `url:usage`: a task matches if one of its exchanges does. */
export function isAboutExchanges({ field, value }: FilterWord): boolean {
  if (field === 'status') return /^\d/.test(value) || value === 'lost';
  if (field === 'kind') return value !== 'task' && value !== 'session';
  return field === 'body' || field === 'url';
}

function matchesValue(text: string, field: FilterField | undefined, value: string): boolean {
  if (field === 'status' && /^\dxx$/.test(value)) return text.length === 3 && text[0] === value[0];
  if (field === 'status' || field === 'kind') return text.toLowerCase() === value;
  return text.toLowerCase().includes(value);
}
