import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packages } from '../lib/paths.mjs';

/*
 * TypeScript 7 has no compiler API. The tool that checks packed types brings an older compiler, which reads the emitted
 * declarations as an editor does.
 */
const require = createRequire(import.meta.url);
const ts = createRequire(require.resolve('@arethetypeswrong/core'))('typescript');

/** Packages whose types a program uses. */
const LIBRARIES = ['@plat/contract', '@plat/sdk', '@plat/webhooks', '@plat/launch-token', '@plat/testing'];

/** Every export of these packages, and every field and method of their types, has a comment that an editor shows. */
export const hoverText = {
  name: 'Every export, field, parameter property and method has hover text',
  run: async () => {
    const libraries = packages().filter(({ name }) => LIBRARIES.includes(name));
    const results = libraries.map((each) => ({ name: each.name, ...hoverTexts(each) }));
    const output = results.flatMap(({ name, missing }) => missing.map((path) => `${name} ${path} has no comment\n`));
    return { ok: output.length === 0, output: output.join('') };
  },
};

/**
 * Finds the declarations of a package's entry points, with and without a comment.
 * @returns {{ documented: string[], missing: string[] }} dotted paths
 */
export function hoverTexts({ folder, manifest }) {
  const entries = Object.values(manifest.exports).flatMap(({ types }) => (types ? [join(folder, types)] : []));
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const seen = new Map();
  // The compiler writes paths with slashes on every system.
  const own = `${folder.replaceAll('\\', '/')}/`;

  const visitSymbol = (symbol, path) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declarations = (target.declarations ?? []).filter((each) => each.getSourceFile().fileName.startsWith(own));
    if (declarations.length === 0 || seen.has(path) || isInternal(target)) return;
    seen.set(path, target.getDocumentationComment(checker).length > 0);
    for (const declaration of declarations) visitMembers(declaration, path);
  };

  // A constant is documented as a whole: its fields are data. A method documents its own parameters and result.
  const visitMembers = (node, path) => {
    if (ts.isVariableDeclaration(node) || ts.isFunctionLike(node) || ts.isConditionalTypeNode(node)) return;
    ts.forEachChild(node, (child) => {
      if (!isMember(child)) return visitMembers(child, path);
      const symbol = checker.getSymbolAtLocation(child.name);
      return symbol && visitSymbol(symbol, `${path}.${child.name.getText()}`);
    });
  };

  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
    for (const symbol of checker.getExportsOfModule(module)) visitSymbol(symbol, symbol.name);
  }
  const paths = [...seen.keys()];
  return { documented: paths.filter((path) => seen.get(path)), missing: paths.filter((path) => !seen.get(path)) };
}

function isInternal(symbol) {
  return symbol.getJsDocTags().some(({ name }) => name === 'internal');
}

function isMember(node) {
  const isProperty = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isAccessor(node);
  const isMethod = ts.isMethodSignature(node) || ts.isMethodDeclaration(node);
  if (!isProperty && !isMethod) return false;
  return !ts.isPrivateIdentifier(node.name) && !(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private);
}
