import { toVisible } from '../../spec/visible.js';
import { CopyButton } from './copy-button.js';
import './commands.css';

/** Commands, each with a label and a copy button. */
export function CommandLines({ lines }: { lines: readonly { label: string; line: string | undefined }[] }) {
  return (
    <div class="commands">
      {lines.map(
        ({ label, line }) =>
          line !== undefined && (
            <p key={label} class="command-line">
              <span class="soft">{label}:</span>
              <code class="command">{toVisible(line, 500)}</code>
              <CopyButton label="Copy" text={() => line} />
            </p>
          ),
      )}
    </div>
  );
}
