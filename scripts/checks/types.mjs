import { readFileSync } from 'node:fs';
import { typesFile, typesText } from '../lib/types.mjs';

/** The committed interfaces are those of the schemas: a change of a field shows in its review. */
export const types = {
  name: 'packages/contract/src/generated.ts has the types of the schemas',
  run: async () => {
    const ok = readFileSync(typesFile, 'utf8') === typesText();
    return {
      ok,
      output: ok ? '' : 'packages/contract/src/generated.ts differs from the schemas. Run: npm run types\n',
    };
  },
};
