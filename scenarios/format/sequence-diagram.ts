export type SequenceLine =
  | {
      /** `event`: the service does something that the client reads later. */
      kind: 'request' | 'response' | 'event';
      text: string;
      /** Time of sending, formatted. */
      time?: string;
      isError?: boolean;
    }
  /** A message that never arrived, by default a response. */
  | { kind: 'lost'; way?: 'request' | 'response'; text: string; time?: string; isError?: boolean }
  | { kind: 'note'; over: 'client' | 'service' | 'both'; text: string; time?: string }
  /** Begins and ends conditional lines. */
  | { kind: 'if'; text: string }
  | { kind: 'end' };

const ARROWS = {
  request: 'Client->>Service',
  response: 'Service-->>Client',
  event: 'Service-)Client',
};
const LOST_ARROWS = { request: 'Client-xService', response: 'Service--xClient' };
const SIDES = { client: 'Client', service: 'Service', both: 'Client,Service' };
/** Maximum length of a label, in characters. */
const LONGEST = 100;

/** The lines as a Mermaid sequence diagram. `isTimed`: with the times. */
export function drawMermaid(
  lines: readonly SequenceLine[],
  { title, isTimed = false }: { title?: string | undefined; isTimed?: boolean } = {},
): string {
  const drawn = ['sequenceDiagram'];
  if (title !== undefined) drawn.push(`  title ${escapeText(title)}`);
  drawn.push('  participant Client', '  participant Service');
  let indent = '  ';
  for (const line of lines) {
    if (line.kind === 'end') indent = '  ';
    drawn.push(
      indent + drawLine(isTimed && 'time' in line ? { ...line, text: `${line.time}: ${line.text}` } : line),
    );
    if (line.kind === 'if') indent = '    ';
  }
  return `${drawn.join('\n')}\n`;
}

function drawLine(line: SequenceLine): string {
  switch (line.kind) {
    case 'end':
      return 'end';
    case 'if':
      return `opt ${escapeText(line.text)}`;
    case 'lost':
      return `${LOST_ARROWS[line.way ?? 'response']}: ${escapeText(line.text)}`;
    case 'note':
      return `Note over ${SIDES[line.over]}: ${escapeText(line.text)}`;
    default:
      return `${ARROWS[line.kind]}: ${escapeText(line.text)}`;
  }
}

/** Escapes the special characters of Mermaid. `#` is special only before a character code. */
function escapeText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  return short.replace(/[;<>]|#(?=\w+;)/g, (sign) => `#${sign.charCodeAt(0)};`);
}
