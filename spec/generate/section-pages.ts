import { readdirSync } from 'node:fs';
import type { DialectFile, OpenPoint, Requirement } from '../requirement-types.js';
import { readYaml } from './document.js';
import { code, pageText, table, toHeading } from './page-text.js';

/** docs/requirements.md: every rule of the API. */
export function requirementsPage(): string {
  const requirements = readYaml('requirements.yaml') as Requirement[];
  const points = readYaml('open-points.yaml') as OpenPoint[];
  const sections = bySection(requirements, (rules) => {
    const rows = rules.map(({ id, level, side, rule, operations, unobservable }) => [
      code(id),
      level,
      side,
      `${rule}${unobservable === undefined ? '' : ' *Cannot be observed over HTTP.*'}${openTo(id, points)}`,
      operations.length === 0 ? 'all' : operations.map(code).join(', '),
    ]);
    return table(['Id', 'Level', 'Side', 'Rule', 'Operations'], rows);
  });
  return pageText('docs/requirements.md', 'spec/requirements.yaml', sections);
}

/** The open points that touch a requirement. */
function openTo(requirement: string, points: readonly OpenPoint[]): string {
  const links = points
    .filter(({ requirements }) => requirements?.includes(requirement))
    .map(({ id }) => toHeading(id, code(id), 'dialects.md'));
  return links.length === 0 ? '' : ` Open: ${links.join(', ')}.`;
}

/** docs/dialects.md: the dialects of the package, what the API leaves open, and the choices there are. */
export function dialectsPage(): string {
  const points = readYaml('open-points.yaml') as OpenPoint[];
  const sectionOf = new Map(
    (readYaml('requirements.yaml') as Requirement[]).map(({ id, section }) => [id, section]),
  );
  const dialects = readdirSync(new URL('../dialects/', import.meta.url))
    .sort()
    .map(dialectText);
  return pageText('docs/dialects.md', 'spec/open-points.yaml and spec/dialects', [
    '## The dialects of the package\n\n`--dialect` takes them by name.',
    ...dialects,
    ...bySection(points, (own) => own.map((point) => pointText(point, sectionOf)).join('\n\n')),
  ]);
}

/** Under the headings of the description, in the order in which they first appear. */
function bySection<T extends { section: string }>(all: readonly T[], write: (own: T[]) => string): string[] {
  const sections = [...new Set(all.map(({ section }) => section))];
  return sections.map(
    (section) => `## ${section}\n\n${write(all.filter((each) => each.section === section))}`,
  );
}

function dialectText(file: string): string {
  const { title, choices } = readYaml(`dialects/${file}`) as DialectFile;
  const rows = Object.entries(choices).map(([point, choice]) => [
    toHeading(point, code(point)),
    code(String(choice)),
  ]);
  return `### ${file.replace('.yaml', '')}\n\n${title}.\n\n${table(['Point', 'Choice'], rows)}`;
}

function pointText(point: OpenPoint, sectionOf: ReadonlyMap<string, string>): string {
  const seen = point.observable === false ? ' *Not observable.*' : '';
  const rules = (point.requirements ?? []).map((id) =>
    toHeading(sectionOf.get(id) ?? '', code(id), 'requirements.md'),
  );
  const touched = rules.length === 0 ? '' : `\n\nRules that hold with every choice: ${rules.join(', ')}.`;
  return `### ${point.id}\n\n${point.question}${seen}\n\n${choicesOf(point)}\n\nWhy: ${point.why}${touched}`;
}

function choicesOf(point: OpenPoint): string {
  if (point.kind === 'number') {
    const { unit, minimum, maximum } = point.choices;
    const zero = point.zero === undefined ? '' : ` 0: ${plain(point.zero)}.`;
    return `- A whole number from ${minimum} to ${maximum} (${unit}), ${code(String(point.default))} by default.${zero}`;
  }
  const lines = Object.entries(point.choices).map(([name, meaning]) => {
    const standard = name === point.default ? ' (default)' : '';
    return `- ${code(name)}${standard}: ${plain(meaning)}.`;
  });
  return lines.join('\n');
}

function plain(text: string): string {
  return text.trim().replace(/\.$/, '');
}
