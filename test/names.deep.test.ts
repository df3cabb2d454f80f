import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/** Written by hand, for the package and for studio. */
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /^(spec|scenarios|mock|conformance|cli|studio)\/|^index\.ts$/.test(file))
  .filter((file) => !/\.(test|examples)\.tsx?$|\/generated\//.test(file));

interface Names {
  /** Exported types, once for each declaration. */
  types: string[];
  functions: string[];
}

function readNames(text: string, file = 'x.tsx'): Names {
  const names: Names = { types: [], functions: [] };
  const visit = (node: ts.Node): void => {
    const isType =
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
    const isExported = isType && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (isExported && node.name) names.types.push(node.name.text);
    const isFunction = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
    const isConst =
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      ts.isArrowFunction(node.initializer);
    if ((isFunction || isConst) && node.name && !ts.isComputedPropertyName(node.name))
      names.functions.push(node.name.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true));
  return names;
}

const listDuplicates = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at);
const listNouns = (functions: readonly string[]) => functions.filter((name) => /[a-z]Of$/.test(name));

describe('the names in the code', () => {
  const all = files.map((file) => readNames(readFileSync(join(ROOT, file), 'utf8'), file));

  it('are unique among exported types', () => {
    const types = all.flatMap((each) => each.types);
    expect(types.length).toBeGreaterThan(500);
    expect(listDuplicates(types)).toEqual([]);
  });

  it('are verb phrases for functions: at most 2 % end in "Of"', () => {
    const functions = all.flatMap((each) => each.functions);
    expect(functions.length).toBeGreaterThan(2000);
    expect(listNouns(functions).length).toBeLessThanOrEqual(functions.length / 50);
  });

  it('are read from declarations', () => {
    const { types, functions } = readNames(
      'export interface A {}\nexport class A { keyOf() {} }\ntype A = 1;\nconst titleOf = () => 1;\nfunction readKey() {}',
    );
    expect(listDuplicates(types)).toEqual(['A']);
    expect(functions).toEqual(['keyOf', 'titleOf', 'readKey']);
    expect(listNouns(functions)).toEqual(['keyOf', 'titleOf']);
  });
});
