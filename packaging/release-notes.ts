/** The newest section of a changelog, whose title is the first line. Throws an Error if it has none. */
export function readNewestSection(changelog: string): string {
  const [, section] = changelog.split(/^(?=## )/m);
  if (section === undefined) throw new Error('CHANGELOG.md has no section: expected a heading "## VERSION".');
  return `${section.trim()}\n`;
}
