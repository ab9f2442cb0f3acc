import { readFileSync } from 'node:fs';
import { at } from './paths.mjs';

export const errorsFile = at('docs', 'errors.md');

const PAGES = [errorsFile, at('packages', 'webhooks', 'README.md'), at('packages', 'launch-token', 'README.md')];

/** Returns each page with tables of errors as it should be committed: its prose, with the tables made from the error codes. */
export async function errorPages() {
  const { GENERAL_ERROR_CODES, SPECIFIC_ERROR_CODES } = await import('@plat/contract');
  const { CHECK_ERRORS, CLI_ERRORS, CONNECTION_ERRORS, LAUNCH_TOKEN_ERRORS, SDK_ERRORS, WEBHOOK_ERRORS } = await import(
    '@plat/cli'
  );
  const tables = {
    general: await apiTable(GENERAL_ERROR_CODES),
    specific: await apiTable(SPECIFIC_ERROR_CODES),
    cli: await ownTable(CLI_ERRORS),
    connection: await ownTable(CONNECTION_ERRORS),
    checks: await ownTable(CHECK_ERRORS),
    deliveries: await deliveryTable(),
    sdk: sdkTable(SDK_ERRORS),
    webhooks: libraryTable(WEBHOOK_ERRORS),
    refusals: await refusalTable(WEBHOOK_ERRORS),
    launch: libraryTable(LAUNCH_TOKEN_ERRORS),
    launches: await launchTable(LAUNCH_TOKEN_ERRORS),
  };
  const pages = PAGES.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  for (const name of Object.keys(tables)) {
    if (!pages.some(({ text }) => text.includes(`<!-- table: ${name} -->`))) {
      throw new Error(`no page has a place for the table ${name}`);
    }
  }
  return pages.map(({ file, text }) => ({
    file,
    text: text.replace(
      /<!-- table: (\w+) -->[\s\S]*?<!-- end -->/g,
      (_, name) => `<!-- table: ${name} -->\n${tables[name]}<!-- end -->`,
    ),
  }));
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

function sdkTable(errors) {
  const rows = Object.entries(errors).map(
    ([code, { class: name, cause, fix }]) => `| \`${code}\` | \`${name}\` | ${cause} | ${fix} |\n`,
  );
  return `| Code | Class | Cause | Fix |\n|---|---|---|---|\n${rows.join('')}`;
}

function libraryTable(errors) {
  const rows = Object.entries(errors).map(([code, { cause, fix }]) => `| \`${code}\` | ${cause} | ${fix} |\n`);
  return `| Code | Cause | Fix |\n|---|---|---|\n${rows.join('')}`;
}

/** Without the mistakes of a configuration, which the README lists by the place where they are thrown. */
async function refusalTable(errors) {
  const { VERIFICATION_CODES } = await import('@plat/webhooks');
  return libraryTable(Object.fromEntries(Object.keys(VERIFICATION_CODES).map((code) => [code, errors[code]])));
}

async function launchTable(errors) {
  const { LAUNCH_TOKEN_CODES } = await import('@plat/launch-token');
  const rows = Object.entries(errors).map(
    ([code, { cause, fix }]) => `| \`${code}\` | ${LAUNCH_TOKEN_CODES[code].status} | ${cause} | ${fix} |\n`,
  );
  return `| Code | Status | Cause | Fix |\n|---|---|---|---|\n${rows.join('')}`;
}
