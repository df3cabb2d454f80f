import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allRules } from '../../conformance/rules/all-rules.js';
import { VERB_NAMES } from '../../scenarios/verbs/verbs.js';
import { renderMarkdown } from '../docs/render-markdown.js';
import { formatRuleAnchor } from './docs-link.js';

const readPage = (name: string) =>
  renderMarkdown(readFileSync(join(import.meta.dirname, '../../docs', `${name}.md`), 'utf8')).html;

it('each rule and each fault has its place in the documentation', () => {
  const pages = { client: readPage('client-rules'), service: readPage('service-rules') };
  for (const { id, side } of allRules) expect(pages[side]).toContain(` id="${formatRuleAnchor(id)}"`);
  const reference = readPage('scenario-reference');
  for (const verb of VERB_NAMES) expect(reference).toContain(` id="network-${verb}"`);
});
