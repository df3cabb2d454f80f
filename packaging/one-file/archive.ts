/** Content of a file by its path in the package, with `/`. */
export type ArchivedFiles = ReadonlyMap<string, Uint8Array>;

/** A line of JSON with the path and the number of bytes of each file; then the bytes of all. Sorted: the same files are the same bytes. */
export function packFiles(files: ArchivedFiles): Buffer {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  const index = sorted.map(([path, content]) => [path, content.length]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...sorted.map(([, content]) => content)]);
}

export function unpackFiles(archive: Buffer): ArchivedFiles {
  let start = archive.indexOf('\n') + 1;
  const index = JSON.parse(archive.toString('utf8', 0, start)) as [path: string, size: number][];
  return new Map(
    index.map(([path, size]) => {
      const content = archive.subarray(start, start + size);
      start += size;
      return [path, content];
    }),
  );
}
