/** One line of a sequence diagram of a client and a service. */
export type SequenceLine =
  | {
      /** `event`: the service does something that the client reads later. `lost`: a response that never arrived. */
      kind: 'request' | 'response' | 'event' | 'lost';
      text: string;
      /** When it was sent, for people. */
      time?: string;
      isError?: boolean;
      /** It stands around what the diagram is about. Mermaid diagrams leave it out. */
      isContext?: boolean;
    }
  | { kind: 'note'; over: 'client' | 'service' | 'both'; text: string; time?: string }
  /** Begins and ends the lines that happen on a condition only. */
  | { kind: 'if'; text: string }
  | { kind: 'end' };

const ARROWS = {
  request: 'Client->>Service',
  response: 'Service-->>Client',
  event: 'Service-)Client',
  lost: 'Service--xClient',
};
const SIDES = { client: 'Client', service: 'Service', both: 'Client,Service' };
/** Characters of one label. */
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
    case 'note':
      return `Note over ${SIDES[line.over]}: ${escapeText(line.text)}`;
    default:
      return `${ARROWS[line.kind]}: ${escapeText(line.text)}`;
  }
}

/** One line that Mermaid reads as text: its own signs are written as codes. `#` is one of them only where a code follows. */
function escapeText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  return short.replace(/[;<>]|#(?=\w+;)/g, (sign) => `#${sign.charCodeAt(0)};`);
}
