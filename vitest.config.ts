import { defineConfig } from 'vitest/config';

/** Run from the sources: packages name them under a condition of their own, which no published consumer asks for. */
const conditions = ['@plat/source', 'node', 'import', 'default'];

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  resolve: { conditions },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'] },
      },
    ],
  },
});
