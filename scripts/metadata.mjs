// npm run metadata [-- <address of the repository's page>]: writes what the packages repeat from the root: links to the repository,
// license, absolute links of READMEs, and the version that the SDK sends. With an address, the repository has moved there.
import { readFileSync, writeFileSync } from 'node:fs';
import { main } from './lib/bootstrap.mjs';
import { repositoryPage, writeMetadata } from './lib/metadata.mjs';
import { at, packages } from './lib/paths.mjs';

await main(() => {
  const page = process.argv[2]?.replace(/\/+$/, '');
  if (page !== undefined) moveTo(page);
  for (const path of writeMetadata()) process.stdout.write(`wrote ${path}\n`);
  return 0;
});

function moveTo(page) {
  if (!/^https:\/\/[^/\s]+\/[^/\s]+\/[^/\s]+$/.test(page)) {
    throw new Error(`${page} is not the page of a repository, such as https://github.com/owner/name`);
  }
  const former = repositoryPage();
  const files = [at('package.json'), ...packages().map(({ folder }) => `${folder}/README.md`)];
  for (const file of files) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(former, page));
}
