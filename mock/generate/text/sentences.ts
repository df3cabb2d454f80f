import { createRandom, type Random } from '../random.js';
import { getFaker } from './faker.js';

const LONGEST_QUOTE = 80;

/**
 * A plausible output of a completed task without a response model: one or two short sentences that quote the
 * task. Section "Task", field `output`.
 */
export function generateOutput(task: string, random: Random): string {
  stock ??= fillStock();
  const quoted = quote(task);
  const found = random.int(2, 9);
  switch (random.int(0, 3)) {
    case 0:
      return `Done: ${quoted}. The page lists ${found} results; the first is "${random.pick(stock.products)}".`;
    case 1:
      return `I finished ${quoted}. The most relevant result is "${random.pick(stock.products)}".`;
    case 2:
      return `Completed ${quoted} in ${found} steps. The final page was titled "${random.pick(stock.titles)}".`;
    default:
      return `${quoted[0] === '"' ? quoted : 'The task'} is complete. I checked ${found} pages and everything needed was there.`;
  }
}

/** Names to choose from, created once: every finished task uses one. */
let stock: { products: string[]; titles: string[] } | undefined;

function fillStock() {
  const faker = getFaker(createRandom('stock of names'));
  const makeMany = (make: () => string) => Array.from({ length: 500 }, make);
  return {
    products: makeMany(() => faker.commerce.productName()),
    titles: makeMany(() => faker.company.catchPhrase()),
  };
}

function quote(task: string): string {
  // Much longer than the quotation, and much shorter than the longest task.
  const start = task.slice(0, 1000).replace(/\s+/g, ' ').trim();
  const line = start.replace(/[.!]+$/, '');
  if (line.length <= LONGEST_QUOTE) return line === '' ? 'the task' : `"${line}"`;
  return `"${[...line].slice(0, LONGEST_QUOTE - 3).join('')}..."`;
}
