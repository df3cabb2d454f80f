import { expandReferences, type ReadReference } from '../scenarios/references.js';
import { checkBy, compileSchema } from '../scenarios/schema-check.js';
import { type Complaint, type Path, Source, startsWith } from '../scenarios/source.js';
import type { Problem } from '../scenarios/types.js';
import type { Fixtures } from './fixtures.js';
import schema from './fixtures.schema.json' with { type: 'json' };
import { InvalidFile } from './invalid-file.js';

let compiled: ReturnType<typeof compileSchema> | undefined;

/** Lists whose entries have ids of their own, wherever they stand. */
const KINDS = [
  'profiles',
  'proxies',
  'files',
  'extensions',
  'workspaces',
  'automations',
  'chats',
  'requests',
  'attachments',
  'tasks',
];

/**
 * Reads fixtures from YAML or JSON. `read` gives what a `$ref` names; without it a `$ref` is a problem. Throws InvalidFile
 * with every problem there is, each at its line and column.
 */
export function readFixtures(text: string, file: string, read?: ReadReference): Fixtures {
  return readSource(Source.read(text, file), read);
}

/** The same of an object. */
export function checkFixtures(fixtures: object): Fixtures {
  return readSource(Source.read(JSON.stringify(fixtures), 'fixtures', true));
}

function readSource({ source, problems }: ReturnType<typeof Source.read>, read?: ReadReference): Fixtures {
  if (!source || problems.length > 0) throw new InvalidFile(problems);
  const expanded = expandReferences(source, [], source.value ?? {}, read);
  compiled ??= compileSchema(schema);
  const complaints = checkBy(compiled, expanded.value);
  if (complaints.length === 0) complaints.push(...findTwins(expanded.value));
  const all = [
    ...expanded.problems,
    ...complaints
      .filter(({ path }) => !expanded.failed.some((failed) => startsWith(path, failed)))
      .map((complaint) => located(complaint, expanded.origin)),
  ];
  if (all.length > 0) throw new InvalidFile(all);
  return expanded.value as Fixtures;
}

function located(complaint: Complaint, origin: (path: Path) => { source: Source; path: Path }): Problem {
  const { source, path } = origin(complaint.path);
  return source.problem({ ...complaint, path });
}

/** Ids that one organisation would have twice. */
function findTwins(value: unknown): Complaint[] {
  const { keys = {}, ...all } = value as Fixtures;
  const each = Object.entries(keys).map(([key, furniture]) => twinsIn(furniture, ['keys', key]));
  return [...twinsIn(all, []), ...each.flat()];
}

function twinsIn(furniture: unknown, start: Path): Complaint[] {
  const complaints: Complaint[] = [];
  const seen = new Set<string>();
  const visit = (value: unknown, path: Path, kind: string): void => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        const id = (item as { id?: unknown } | null)?.id;
        if (typeof id === 'string' && KINDS.includes(kind)) {
          if (seen.has(`${kind} ${id}`))
            complaints.push({
              path: [...path, index, 'id'],
              message: `id: expected an id of its own, found "${id}" a second time among the ${kind}`,
            });
          seen.add(`${kind} ${id}`);
        }
        visit(item, [...path, index], '');
      });
    } else if (value !== null && typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) {
        // What tasks were made with is the client's own.
        if (key !== 'request' && key !== 'output' && key !== 'input') visit(item, [...path, key], key);
      }
    }
  };
  visit(furniture, start, '');
  return complaints;
}
