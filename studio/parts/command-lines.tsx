import { toVisible } from '../../spec/visible.js';
import { CopyButton } from './copy-button.js';
import './commands.css';

/** Lines to type, each with what it is for and a button that copies it. */
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
