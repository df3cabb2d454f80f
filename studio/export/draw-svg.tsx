import { signal } from '@preact/signals';
import { render } from 'preact';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { computeLanes, Diagram } from '../sequence/diagram.js';
import { layOut } from '../sequence/layout.js';

const WIDTH = 900;
const STYLES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'text-anchor'],
  ...['font-family', 'font-size', 'font-weight'],
];

/** The whole diagram as an SVG image on white. The styles stand at each element: nothing else reads our style sheet. */
export function drawSvg(exchanges: readonly Exchange[], findings: readonly Finding[]): string {
  const place = document.createElement('div');
  // Drawn in the page, but where nobody sees it.
  Object.assign(place.style, { position: 'fixed', left: '-10000px', colorScheme: 'light' });
  document.body.append(place);
  const layout = layOut(exchanges, findings);
  render(
    <Diagram
      layout={layout}
      lanes={computeLanes(WIDTH)}
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
  for (const element of svg.querySelectorAll('*')) inlineStyles(element);
  svg.removeAttribute('class');
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${layout.height + 8}`);
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', '100%');
  paper.setAttribute('fill', '#fff');
  svg.prepend(paper);
  const text = new XMLSerializer().serializeToString(svg);
  render(null, place);
  place.remove();
  return `${text}\n`;
}

function inlineStyles(element: Element): void {
  const computed = getComputedStyle(element);
  for (const name of STYLES) element.setAttribute(name, computed.getPropertyValue(name));
  for (const name of ['class', 'tabindex', 'tabIndex', 'role', 'data-seq']) element.removeAttribute(name);
}
