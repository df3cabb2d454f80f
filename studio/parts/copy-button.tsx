import { useState } from 'preact/hooks';

/** Copies a text; if the clipboard is not allowed, by a selection in the page. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [isCopied, setCopied] = useState(false);
  const onClick = async () => {
    await copyText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1200);
  };
  return (
    <button type="button" class="small" onClick={onClick}>
      {isCopied ? 'Copied' : label}
    </button>
  );
}
