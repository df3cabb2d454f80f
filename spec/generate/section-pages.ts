import { readdirSync } from 'node:fs';
import type { DialectFile, OpenPoint, Requirement } from '../requirement-types.js';
import { readYaml } from './document.js';
import { formatCode, formatHeadingLink, formatPage, formatTable } from './page-text.js';

/** docs/requirements.md: every rule of the API. */
export function generateRequirementsPage(): string {
  const requirements = readYaml('requirements.yaml') as Requirement[];
  const points = readYaml('open-points.yaml') as OpenPoint[];
  const sections = formatSections(requirements, (rules) => {
    const rows = rules.map(({ id, level, side, rule, operations, unobservable }) => [
      formatCode(id),
      level,
      side,
      `${rule}${unobservable === undefined ? '' : ' *Cannot be observed over HTTP.*'}${formatOpenPoints(id, points)}`,
      operations.length === 0 ? 'all' : operations.map(formatCode).join(', '),
    ]);
    return formatTable(['Id', 'Level', 'Side', 'Rule', 'Operations'], rows);
  });
  return formatPage('docs/requirements.md', 'spec/requirements.yaml', sections);
}

/** The open points that touch a requirement. */
function formatOpenPoints(requirement: string, points: readonly OpenPoint[]): string {
  const links = points
    .filter(({ requirements }) => requirements?.includes(requirement))
    .map(({ id }) => formatHeadingLink(id, formatCode(id), 'dialects.md'));
  return links.length === 0 ? '' : ` Open: ${links.join(', ')}.`;
}

/** docs/dialects.md: the dialects of the package, what the API leaves open, and the choices there are. */
export function generateDialectsPage(): string {
  const points = readYaml('open-points.yaml') as OpenPoint[];
  const sections = new Map(
    (readYaml('requirements.yaml') as Requirement[]).map(({ id, section }) => [id, section]),
  );
  const dialects = readdirSync(new URL('../dialects/', import.meta.url))
    .sort()
    .map(formatDialect);
  return formatPage('docs/dialects.md', 'spec/open-points.yaml and spec/dialects', [
    '## The dialects of the package\n\n`--dialect` takes them by name.',
    ...dialects,
    ...formatSections(points, (own) => own.map((point) => formatPoint(point, sections)).join('\n\n')),
  ]);
}

/** Under the headings of the description, in the order in which they first appear. */
function formatSections<T extends { section: string }>(
  all: readonly T[],
  write: (own: T[]) => string,
): string[] {
  const sections = [...new Set(all.map(({ section }) => section))];
  return sections.map(
    (section) => `## ${section}\n\n${write(all.filter((each) => each.section === section))}`,
  );
}

function formatDialect(file: string): string {
  const { title, choices } = readYaml(`dialects/${file}`) as DialectFile;
  const rows = Object.entries(choices).map(([point, choice]) => [
    formatHeadingLink(point, formatCode(point)),
    formatCode(String(choice)),
  ]);
  return `### ${file.replace('.yaml', '')}\n\n${title}.\n\n${formatTable(['Point', 'Choice'], rows)}`;
}

function formatPoint(point: OpenPoint, sections: ReadonlyMap<string, string>): string {
  const seen = point.observable === false ? ' *Not observable.*' : '';
  const rules = (point.requirements ?? []).map((id) =>
    formatHeadingLink(sections.get(id) ?? '', formatCode(id), 'requirements.md'),
  );
  const touched = rules.length === 0 ? '' : `\n\nRules that hold with every choice: ${rules.join(', ')}.`;
  return `### ${point.id}\n\n${point.question}${seen}\n\n${formatChoices(point)}\n\nWhy: ${point.why}${touched}`;
}

function formatChoices(point: OpenPoint): string {
  if (point.kind === 'number') {
    const { unit, minimum, maximum } = point.choices;
    const zero = point.zero === undefined ? '' : ` 0: ${stripFullStop(point.zero)}.`;
    return `- A whole number from ${minimum} to ${maximum} (${unit}), ${formatCode(String(point.default))} by default.${zero}`;
  }
  const lines = Object.entries(point.choices).map(([name, meaning]) => {
    const standard = name === point.default ? ' (default)' : '';
    return `- ${formatCode(name)}${standard}: ${stripFullStop(meaning)}.`;
  });
  return lines.join('\n');
}

function stripFullStop(text: string): string {
  return text.trim().replace(/\.$/, '');
}
