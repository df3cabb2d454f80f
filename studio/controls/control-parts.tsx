import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { DocsLink } from '../parts/docs-link.js';

/** What the last control did, or why it failed. */
export const outcome = signal<{ text: string; isError: boolean } | undefined>(undefined);

/** Shows the result of an action. `what`: the text, or a function that makes it from the result. True if it succeeded. */
export async function perform<T>(
  what: string | ((result: T) => string),
  action: Promise<T>,
): Promise<boolean> {
  const shown = await action.then(
    (result) => ({ text: typeof what === 'string' ? what : what(result), isError: false }),
    // The position is useless: it refers to JSON that the page wrote.
    (error: Error) => ({ text: error.message.replace(/^rules:\d+:\d+: /, ''), isError: true }),
  );
  outcome.value = shown;
  return !shown.isError;
}

interface GroupProps {
  title: string;
  /** The page that explains it, and the anchor. */
  docs: readonly [page: string, anchor: string];
  children: ComponentChildren;
}

export function Group({ title, docs: [page, anchor], children }: GroupProps) {
  return (
    <fieldset>
      <legend>
        {title} <DocsLink page={page} anchor={anchor} about={title} />
      </legend>
      {children}
    </fieldset>
  );
}

/** `problem`: why it cannot be used now. Such a button can have the focus, and reports the reason when it is pressed. */
export function Button({
  label,
  onClick,
  problem,
  description,
  isSmall = false,
}: {
  label: string;
  onClick: () => void;
  problem?: string | undefined;
  /** The name for screen readers where the label is a sign. */
  description?: string;
  isSmall?: boolean;
}) {
  const reportProblem = () => {
    outcome.value = { text: problem!, isError: true };
  };
  return (
    <button
      type="button"
      class={isSmall ? 'small' : undefined}
      aria-disabled={problem !== undefined}
      aria-label={description}
      title={problem ?? description}
      onClick={problem === undefined ? onClick : reportProblem}
    >
      {label}
    </button>
  );
}
