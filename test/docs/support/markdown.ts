import { readFileSync } from 'node:fs';

/** A fenced block. Its info string, or a comment above it, says how it is checked: `sh run`, `yaml scenario NAME.yaml`, ... */
export interface MarkdownBlock {
  /** Line of the opening fence, from 1. */
  line: number;
  info: string[];
  text: string;
}

export interface MarkdownTable {
  line: number;
  /** Name from the comment `<!-- check: NAME -->` above it; undefined where there is none. */
  check: string | undefined;
  /** Cells of the rows below the head. */
  rows: string[][];
}

export interface MarkdownLink {
  line: number;
  target: string;
}

export interface MarkdownPage {
  lines: string[];
  blocks: MarkdownBlock[];
  tables: MarkdownTable[];
  links: MarkdownLink[];
  /** What `#...` in a link may name. */
  anchors: string[];
  /** True for a page that is made from the sources of the project: what makes it is tested instead of its tables. */
  generated: boolean;
}

const CHECK = /^<!-- check: (.+) -->$/;
/** Above a fence: what its info string would say. The README keeps it out of sight on a code host that way. */
const BLOCK = /^<!-- block: (.+) -->$/;
const GENERATED = /^<!-- Generated .*Do not edit/;

/** Code that no check would see: indented, or between other fences. */
const UNSEEN_FENCE = /^\s+(```|~~~)|^~~~/;
const INDENTED_CODE = /^( {4}|\t)/;

/** Reads what can be checked in a Markdown file. What stands between the `bench` markers was measured: it is left out. */
export function readPage(file: string): MarkdownPage {
  return parsePage(readFileSync(file, 'utf8'));
}

export function parsePage(text: string): MarkdownPage {
  const lines = text.split('\n');
  const page: MarkdownPage = {
    lines,
    blocks: [],
    tables: [],
    links: [],
    anchors: [],
    generated: lines.some((line) => GENERATED.test(line)),
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line === '<!-- bench -->') at = findEnd(lines, at, (each) => each === '<!-- /bench -->');
    else if (line.startsWith('```')) {
      const end = findEnd(lines, at, (each) => each === '```');
      const hidden = BLOCK.exec(lines[at - 1] ?? '')?.[1] ?? '';
      page.blocks.push({
        line: at + 1,
        info: `${line.slice(3)} ${hidden}`.trim().split(/\s+/),
        text: lines.slice(at + 1, end).join('\n'),
      });
      at = end;
    } else if (line.startsWith('|')) {
      const end = findEnd([...lines, ''], at, (each) => !each.startsWith('|'));
      const rows = lines.slice(at + 2, end).map(splitCells);
      page.tables.push({ line: at + 1, check: CHECK.exec(lines[at - 1] ?? '')?.[1], rows });
      addLinks(page, lines.slice(at, end), at);
      at = end - 1;
    } else {
      if (UNSEEN_FENCE.test(line) || (INDENTED_CODE.test(line) && lines[at - 1] === ''))
        throw new Error(
          `line ${at + 1}: code that nobody runs; put it between \`\`\` at the beginning of a line`,
        );
      if (line.startsWith('#')) page.anchors.push(toAnchor(line));
      addLinks(page, [line], at);
    }
  }
  return page;
}

/** The inline code in a cell. */
export function listCodes(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!.replaceAll('\\|', '|'));
}

function findEnd(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const end = lines.findIndex((line, index) => index > from && isEnd(line));
  if (end === -1) throw new Error(`line ${from + 1}: what begins here has no end`);
  return end;
}

function splitCells(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function addLinks(page: MarkdownPage, lines: readonly string[], at: number): void {
  for (const [index, line] of lines.entries()) {
    for (const [, target] of line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      page.links.push({ line: at + index + 1, target: target! });
    }
  }
}

function toAnchor(heading: string): string {
  const words = heading.replace(/^#+\s*/, '').toLowerCase();
  return words.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}
