import { signal } from '@preact/signals';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { toHar } from '../../mock/exchange/readers/har-writer.js';
import { renderEmbeddedPage, STUDIO_PREFIX } from '../../mock/pages/studio-page.js';
import { toVisible } from '../../spec/visible.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { admin } from '../live/admin-client.js';
import type { RecordingPage } from '../page-data.js';
import { copyText } from '../parts/copy-button.js';
import { download } from '../parts/download.js';
import { computeLanes, Diagram, LANES } from '../sequence/diagram.js';
import { layOut } from '../sequence/layout.js';
import { formatMermaid } from './mermaid.js';

export interface DisplayedConversation {
  /** Id of the task. */
  id: string;
  exchanges: readonly Exchange[];
  findings: readonly Finding[];
  /** Of the mock or proxy; undefined if the page shows a file. */
  baseUrl: string | undefined;
  isMock: boolean;
}

export function ExportMenu({ id, exchanges, findings, baseUrl, isMock }: DisplayedConversation) {
  const [outcome, setOutcome] = useState('');
  const name = `task-${id.replace(/[^\w-]/g, '_').slice(0, 13)}`;
  const title = `Task ${id}`;
  const save = (ending: string, type: string, text: string) => {
    download(`${name}${ending}`, text, type);
    return `saved ${name}${ending}`;
  };
  const items: [label: string, run: () => string | Promise<string>, isShown?: boolean][] = [
    [
      'HTML page of this conversation',
      async () => {
        const data = {
          kind: 'recording' as const,
          title,
          exchanges: [...exchanges],
          findings: [...findings],
        };
        return save('.html', 'text/html', await buildConversationPage(data));
      },
      baseUrl !== undefined,
    ],
    [
      'Scenario (YAML)',
      async () => save('.scenario.yaml', 'application/yaml', await admin.fetchScenario(id)),
      isMock,
    ],
    [
      'Play again with the next task',
      async () => {
        await admin.queueScenario(exchanges[0]?.organisation, await admin.fetchScenario(id));
        return 'the next task follows this conversation';
      },
      isMock,
    ],
    ['Journal (JSON lines)', () => save('.jsonl', 'application/jsonl', formatJournal(exchanges))],
    ['HAR', () => save('.har', 'application/json', formatHar(exchanges, baseUrl))],
    ['Diagram (SVG)', () => save('.svg', 'image/svg+xml', drawSvg(exchanges, findings))],
    [
      'Copy as Mermaid diagram',
      async () => {
        await copyText(formatMermaid(exchanges, findings));
        return 'copied';
      },
    ],
  ];
  const perform = async (run: () => string | Promise<string>) => {
    try {
      setOutcome(await run());
    } catch (error) {
      setOutcome((error as Error).message);
    }
  };
  return (
    <div class="export-menu">
      <span class="soft" role="status">
        {toVisible(outcome, 200)}
      </span>
      <details
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !event.currentTarget.open) return;
          event.currentTarget.open = false;
          event.currentTarget.querySelector('summary')?.focus();
          event.stopPropagation();
        }}
      >
        <summary>Export</summary>
        <div class="menu">
          {items
            .filter(([, , isShown = true]) => isShown)
            .map(([label, run]) => (
              <button
                key={label}
                type="button"
                onClick={({ currentTarget }) => {
                  currentTarget.closest('details')!.open = false;
                  return perform(run);
                }}
              >
                {label}
              </button>
            ))}
        </div>
      </details>
    </div>
  );
}

const WIDTH = 900;
/** Height of the names of the lanes, px. */
const NAMES_PX = 24;
const SVG = 'http://www.w3.org/2000/svg';
const STYLES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'text-anchor'],
  ...['font-family', 'font-size', 'font-weight'],
];

/** The whole diagram as an SVG image on white, with inline styles: other programs do not load the style sheet of studio. */
function drawSvg(exchanges: readonly Exchange[], findings: readonly Finding[]): string {
  const place = document.createElement('div');
  // Styles are computed only for elements in the page: this one is outside the visible part.
  Object.assign(place.style, { position: 'fixed', left: '-10000px', colorScheme: 'light' });
  document.body.append(place);
  const layout = layOut(exchanges, findings);
  const lanes = computeLanes(WIDTH);
  render(
    <Diagram
      layout={layout}
      lanes={lanes}
      top={0}
      bottom={layout.height + 8}
      selected={undefined}
      hovered={signal(undefined)}
      onSelect={() => {}}
      onUnfold={() => {}}
    />,
    place,
  );
  const svg = place.querySelector('svg')!;
  // In the page, the names of the lanes stand above the diagram.
  for (const name of LANES) {
    const text = createElement('text', { class: 'middle sentence', x: lanes[name], y: -8 });
    text.textContent = name;
    svg.append(text);
  }
  inlineStyles([...svg.querySelectorAll('*')]);
  svg.removeAttribute('class');
  const height = layout.height + 8 + NAMES_PX;
  svg.setAttribute('xmlns', SVG);
  svg.setAttribute('height', String(height));
  svg.setAttribute('viewBox', `0 ${-NAMES_PX} ${WIDTH} ${height}`);
  svg.prepend(createElement('rect', { y: -NAMES_PX, width: '100%', height: '100%', fill: '#fff' }));
  const text = new XMLSerializer().serializeToString(svg);
  render(null, place);
  place.remove();
  return `${text}\n`;
}

function createElement(name: string, attributes: Record<string, string | number>): Element {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function inlineStyles(elements: readonly Element[]): void {
  // All are read first: the style of an element depends on the classes of those around it.
  const styles = elements.map((element) => {
    const computed = getComputedStyle(element);
    return STYLES.map((name) => [name, computed.getPropertyValue(name)] as const);
  });
  for (const [index, element] of elements.entries()) {
    for (const [name, value] of styles[index]!) element.setAttribute(name, value);
    for (const name of ['class', 'tabindex', 'tabIndex', 'role', 'data-seq']) element.removeAttribute(name);
  }
}

/** A journal for `taskdouble check`: JSON lines, one exchange each. */
export function formatJournal(exchanges: readonly Exchange[]): string {
  return exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`).join('');
}

/** HAR 1.2. `baseUrl`: address of the service. */
export function formatHar(exchanges: readonly Exchange[], baseUrl: string | undefined): string {
  const har = toHar(exchanges, baseUrl === undefined ? {} : { base_url: baseUrl });
  return `${JSON.stringify(har, null, 2)}\n`;
}

/**
 * The conversation as one HTML file that contains the script and style sheet of studio. Rejects with an Error if the page cannot
 * compute hashes: browsers allow that on localhost and over HTTPS only.
 */
async function buildConversationPage(data: RecordingPage): Promise<string> {
  if (!globalThis.crypto?.subtle)
    throw new Error('The browser makes this file only at 127.0.0.1, at localhost or over HTTPS.');
  const [script, style] = await Promise.all([loadAsset('studio.js'), loadAsset('studio.css')]);
  const hashes = { script: await hashText(script), style: await hashText(style) };
  return renderEmbeddedPage(data.title, data, { script, style }, hashes);
}

async function loadAsset(name: string): Promise<string> {
  const response = await fetch(`${STUDIO_PREFIX}/${name}`);
  if (!response.ok) throw new Error(`${name} could not be loaded: ${response.status}.`);
  return await response.text();
}

/** The hash in the form of a content security policy. */
async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
