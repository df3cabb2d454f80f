import { instance } from '@viz-js/viz';
import { addDarkColors, replaceColorNames } from './studio-colors.js';

/** How studio draws: rounded boxes with thin lines. A graph may set each of these anew. */
const STYLE = `
  graph [rankdir=LR, nodesep=0.3, ranksep=0.6, pad=0.2, fontname="Arial", fontsize=12, fontcolor="$soft", bgcolor="$bg", color="$line", style="rounded"]
  node [shape=box, style="rounded,filled", fillcolor="$panel", color="$line", fontname="Arial", fontsize=12, fontcolor="$fg", margin="0.25,0.1"]
  edge [color="$fg", fontname="Arial", fontsize=11, fontcolor="$soft", arrowsize=0.6]
`;

/** Draws a graph in the language of Graphviz as SVG, in the colors of studio, which it may use by name: `color="$accent"`. */
export async function drawGraph(dot: string): Promise<string> {
  const graphviz = await instance();
  const styled = replaceColorNames(dot.replace(/^digraph [^{]*\{/m, (start) => start + STYLE));
  const svg = graphviz.renderString(styled, { format: 'svg' });
  return addDarkColors(svg.replaceAll('font-family="Arial"', 'font-family="system-ui, Arial, sans-serif"'));
}
