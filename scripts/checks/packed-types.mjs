import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { packedPackages } from '../lib/pack.mjs';

/** Checks for every entry point that the types that a compiler finds match the module that Node loads. */
export const packedTypes = {
  name: "Packed packages' types are right (are the types wrong)",
  run: async () => {
    const reports = await Promise.all((await packedPackages()).map(judge));
    const problems = reports.flat();
    return { ok: problems.length === 0, output: problems.join('\n') };
  },
};

async function judge({ name, tarball, manifest }) {
  const bytes = await readFile(tarball);
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  if (!result.types) return [`${name}: has no types`];
  // The other packages are ES modules by design: CommonJS loads them by require(esm), and node10 ignores `exports`.
  const hasCommonJs = manifest.main !== undefined;
  const problems = result.problems.filter((problem) => hasCommonJs || !isOfCommonJs(problem));
  return problems.map((problem) => `${name}: ${JSON.stringify(problem)}`);
}

function isOfCommonJs({ kind, resolutionKind }) {
  return kind === 'CJSResolvesToESM' || resolutionKind === 'node10';
}
