import { readdirSync } from 'node:fs';
import { type DialectFile, type OpenPoint, SECTIONS } from '../requirement-types.js';
import { readYaml } from './document.js';
import { code, pageBanner, table, toHeading } from './page-text.js';

interface Named extends DialectFile {
  name: string;
}

/** docs/dialects.md: what the API leaves open, the choices there are, and which dialect makes which. */
export function dialectsPage(): string {
  const points = readYaml('open-points.yaml') as OpenPoint[];
  const dialects = readDialects();
  const sections = SECTIONS.filter((section) => points.some((point) => point.section === section));
  return `${pageBanner('spec/open-points.yaml and spec/dialects')}
# Dialects and open points

The API's description leaves ${points.length} points open. Services may differ in them and all be right, so a client should get along
with every choice. Here is each point, its choices, and what the mock does by default.

A *dialect* is a file that chooses otherwise for some of them:

\`\`\`yaml dialect my-service.yaml
title: A service that echoes events and responds with 403 without a key
choices:
  auth.missing-key: 403
  event.echo: plain
  recording.delay: 5000 # ms
\`\`\`

\`\`\`sh mock
npx taskdouble mock --dialect my-service.yaml
\`\`\`

In process it is \`createMock({ dialect })\`, with a name, a file or an object. \`taskdouble conform --dialect-out FILE\` writes
down what a service chose ([judge a service](judge-a-service.md#make-the-mock-behave-like-the-service)), so that the mock can behave
like it. The responses of a service do not show its choice for points marked *not observable*.
What is no open point is a rule: see [requirements](requirements.md). In a program the points are \`openPoints\` of \`taskdouble/spec\`.

## The dialects of the package

\`--dialect\` takes them by name.

${dialects.map(dialectText).join('\n\n')}

## The open points

${sections.map((section) => `- ${toHeading(section)}`).join('\n')}

${sections.map((section) => sectionOf(section, points, dialects)).join('\n\n')}
`;
}

function readDialects(): Named[] {
  const files = readdirSync(new URL('../dialects/', import.meta.url)).sort();
  return files.map((file) => {
    const dialect = readYaml(`dialects/${file}`) as DialectFile;
    return { name: file.replace('.yaml', ''), ...dialect };
  });
}

function dialectText({ name, title, choices }: Named): string {
  const rows = Object.entries(choices).map(([point, choice]) => [
    toHeading(point, code(point)),
    code(String(choice)),
  ]);
  return `### ${name}\n\n${title}.\n\n${table(['Point', 'Choice'], rows)}`;
}

function sectionOf(section: string, points: readonly OpenPoint[], dialects: readonly Named[]): string {
  const own = points.filter((point) => point.section === section);
  return `## ${section}\n\n${own.map((point) => pointText(point, dialects)).join('\n\n')}`;
}

function pointText(point: OpenPoint, dialects: readonly Named[]): string {
  const { id, question, why, observable } = point;
  const others = dialects
    .filter(({ choices }) => id in choices)
    .map(({ name, choices }) => ` ${toHeading(name, code(name))} chooses ${code(String(choices[id]))}.`);
  const seen = observable === false ? ' *Not observable.*' : '';
  return `### ${id}\n\n${question}${seen}\n\n${choicesOf(point)}\n\nWhy: ${why}${others.join('')}`;
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
