import { readFileSync } from 'node:fs';
import { at } from './paths.mjs';

export const errorsFile = at('docs', 'errors.md');

/** Returns docs/errors.md as it should be committed: the prose of the page, with each table made from the error codes. */
export async function errorsText() {
  const { GENERAL_ERROR_CODES, SPECIFIC_ERROR_CODES } = await import('@plat/contract');
  const { CHECK_ERRORS, CLI_ERRORS, CONNECTION_ERRORS } = await import('@plat/cli');
  const tables = {
    general: await apiTable(GENERAL_ERROR_CODES),
    specific: await apiTable(SPECIFIC_ERROR_CODES),
    cli: await ownTable(CLI_ERRORS),
    connection: await ownTable(CONNECTION_ERRORS),
    checks: await ownTable(CHECK_ERRORS),
    deliveries: await deliveryTable(),
  };
  const page = readFileSync(errorsFile, 'utf8');
  for (const name of Object.keys(tables)) {
    if (!page.includes(`<!-- table: ${name} -->`)) throw new Error(`docs/errors.md has no place for the table ${name}`);
  }
  return page.replace(
    /<!-- table: (\w+) -->[\s\S]*?<!-- end -->/g,
    (_, name) => `<!-- table: ${name} -->\n${tables[name]}<!-- end -->`,
  );
}

async function apiTable(codes) {
  const { ERROR_REFERENCE } = await import('@plat/contract/error-reference');
  const rows = Object.entries(codes).map(([code, { status }]) => {
    const { cause, fix } = ERROR_REFERENCE[code];
    return `| \`${code}\` | ${status} | ${cause} | ${fix} |\n`;
  });
  return `| Code | HTTP | Cause | Fix |\n|---|---|---|---|\n${rows.join('')}`;
}

async function deliveryTable() {
  const { DELIVERY_ERROR_REFERENCE } = await import('@plat/contract/error-reference');
  const rows = Object.entries(DELIVERY_ERROR_REFERENCE).map(([code, { cause, fix }]) => {
    return `| \`${code}\` | ${cause} | ${fix} |\n`;
  });
  return `| Class | Cause | Fix |\n|---|---|---|\n${rows.join('')}`;
}

async function ownTable(errors) {
  const { EXIT_CODES } = await import('@plat/cli');
  const rows = Object.entries(errors).map(
    ([code, { exit, cause, fix }]) => `| \`${code}\` | ${EXIT_CODES[exit]} | ${cause} | ${fix} |\n`,
  );
  return `| Code | Exit code | Cause | Fix |\n|---|---|---|---|\n${rows.join('')}`;
}
