/** An expression for a glob over ids: `*` is any text, all else stands for itself. */
export function globOf(glob: string): RegExp {
  const parts = glob.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
