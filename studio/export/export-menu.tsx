import { useState } from 'preact/hooks';
import { toVisible } from '../../spec/visible.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { admin } from '../live/admin-client.js';
import { copyText } from '../parts/copy-button.js';
import { download } from '../parts/download.js';
import {
  buildConversationPage,
  drawSvg,
  formatHar,
  formatJournal,
  formatMermaid,
} from './conversation-files.js';

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
    ['Journal (JSON lines)', () => save('.jsonl', 'application/jsonl', formatJournal(exchanges))],
    ['HAR', () => save('.har', 'application/json', formatHar(exchanges, baseUrl))],
    ['Diagram (SVG)', () => save('.svg', 'image/svg+xml', drawSvg(exchanges, findings))],
    [
      'Copy as Mermaid diagram',
      async () => {
        await copyText(formatMermaid(exchanges));
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
