import { type Requirement, SECTIONS } from '../requirement-types.js';
import { readYaml } from './document.js';
import { code, pageBanner, table, toHeading } from './page-text.js';

/** docs/requirements.md: every rule of the API, by section. */
export function requirementsPage(): string {
  const requirements = readYaml('requirements.yaml') as Requirement[];
  const sections = SECTIONS.filter((section) => requirements.some((rule) => rule.section === section));
  const musts = requirements.filter(({ level }) => level === 'must');
  return `${pageBanner('spec/requirements.yaml')}
# Requirements

The rules of the API, numbered: ${requirements.length} of them. Reports, findings and scenarios name them by these ids, which never
change. ${musts.length} are a **must**: stated as a rule, obliged by one, or a term of the job that \`taskdouble client\` gives; a client or
service that breaks one fails. ${requirements.length - musts.length} are **advice**: recommended, or good sense that follows from the rules, reported and never a failure. Each binds one
**side**, the service or the client.

What the API leaves open is no rule: see [dialects and open points](dialects.md). Which checks look at a rule, and that they
notice when it is broken, is in [requirements, checks and mutants](requirements-coverage.md). To hold a service against the rules,
see [judge a service](judge-a-service.md); a client, [judge a client](judge-a-client.md). In a program they are
\`requirements\` of \`taskdouble/spec\`.

${sections.map((section) => `- ${toHeading(section)}`).join('\n')}

${sections.map((section) => sectionOf(section, requirements)).join('\n\n')}
`;
}

function sectionOf(section: string, all: readonly Requirement[]): string {
  const rules = all.filter((rule) => rule.section === section);
  return `## ${section}\n\n${table(
    ['Id', 'Level', 'Side', 'Rule', 'Operations'],
    rules.map(({ id, level, side, rule, operations, unobservable }) => [
      code(id),
      level,
      side,
      unobservable === undefined ? rule : `${rule} *Cannot be observed over HTTP.*`,
      operations.length === 0 ? 'all' : operations.map(code).join(', '),
    ]),
  )}`;
}
