import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  skipLibCheck: true,
  allowJs: true,
  checkJs: false,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/** Declarations of packages and of the language, by their path: reading them takes longer than all that follows. */
const declarations = new Map<string, ts.SourceFile | undefined>();

/** What the compiler has to say about a file, as a strict project that uses the package would see it. `directory` is where `types` are looked for. */
export function listTypeErrors(file: string, directory: string): string[] {
  const host = ts.createCompilerHost(OPTIONS);
  host.getCurrentDirectory = () => directory;
  const read = host.getSourceFile;
  host.getSourceFile = (path, ...rest) => {
    if (!path.endsWith('.d.ts')) return read(path, ...rest);
    if (!declarations.has(path)) declarations.set(path, read(path, ...rest));
    return declarations.get(path);
  };
  const program = ts.createProgram([file], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ file: where, start, messageText }) => {
    const line =
      where && start !== undefined ? `${where.getLineAndCharacterOfPosition(start).line + 1}: ` : '';
    return `${line}${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
