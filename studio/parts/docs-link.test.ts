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
  const reference = readPage('scenario-reference');
  const missing = [
    ...allRules.filter(({ id, side }) => !pages[side].includes(` id="${formatRuleAnchor(id)}"`)),
    ...VERB_NAMES.filter((verb) => !reference.includes(` id="network-${verb}"`)),
  ];
  expect(missing.map((each) => (typeof each === 'string' ? each : each.id))).toEqual([]);
});
