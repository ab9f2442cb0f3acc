import { runQuiet } from '../lib/run.mjs';
import { apiReference } from './api-reference.mjs';
import { cliReference } from './cli-reference.mjs';
import { errors } from './errors.mjs';
import { hoverText } from './hover-text.mjs';
import { lockfile } from './lockfile.mjs';
import { metadata } from './metadata.mjs';
import { openApi } from './openapi.mjs';
import { packedCli } from './packed-cli.mjs';
import { packedDocs } from './packed-docs.mjs';
import { packedImports } from './packed-imports.mjs';
import { packedManifests } from './packed-manifests.mjs';
import { packedTypes } from './packed-types.mjs';
import { prose } from './prose.mjs';
import { released } from './released.mjs';
import { runtimes } from './runtimes.mjs';
import { types } from './types.mjs';
import { workflows } from './workflows.mjs';

const command = (name, ...words) => ({ name, run: () => runQuiet(words[0], words.slice(1)) });

/** The static checks, fastest first. */
export const checks = [
  lockfile,
  metadata,
  workflows,
  prose,
  types,
  command('Format, lint and import walls (biome)', 'biome', 'ci', '--colors=off'),
  command('Package boundaries (turbo)', 'turbo', 'boundaries', '--no-color'),
  command('Types of the packages (tsc)', 'tsc', '-b'),
  command('Types of the tests (tsc)', 'tsc', '--noEmit', '-p', 'tsconfig.tests.json'),
  hoverText,
  openApi,
  cliReference,
  errors,
  apiReference,
  released,
  runtimes,
  command('Nothing unused (knip)', 'knip', '--no-progress'),
  packedManifests,
  packedTypes,
  packedImports,
  packedDocs,
  packedCli,
];
