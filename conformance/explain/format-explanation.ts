import type { Explanation } from './explanation.js';

/** As text of a terminal. `command`: how the user starts this program. */
export function formatExplanation(explanation: Explanation, command: string): string {
  const { name, kind, title, facts, conversations = [], commands = [], page } = explanation;
  const parts = [
    [`${name} (${kind})`, title],
    facts.map(([label, text]) => (text.includes('\n') ? `${label}:\n${indent(text)}` : `${label}: ${text}`)),
    ...conversations.map((each) => [each.title, ...each.lines]),
    commands.map((each) => `${command} ${each}`),
    [`More: docs/${page}`],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** As a section of a page, below a heading of its own. */
export function formatExplanationSection({ name, title, facts, conversations = [] }: Explanation): string {
  const blocks = conversations.map((each) =>
    [`${each.title}:`, '', '```text generated', ...each.lines, '```'].join('\n'),
  );
  return [
    `### ${name}`,
    title,
    facts.map(([label, text]) => `- **${label}**: ${text}`).join('\n'),
    ...blocks,
  ].join('\n\n');
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
